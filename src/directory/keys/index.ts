import { ofResource } from '../../kernel/modules/index.ts';
import { keyRights } from '../assignments/index.ts';
import { apiKey, keyUseRecords } from './api-key.ts';

export { keyUseRecords } from './api-key.ts';

/** `/admin/api-keys`. */
export const keysModule = {
  name: 'keys',
  records: [apiKey.records, keyUseRecords],
  assignments: [keyRights.roles, keyRights.permissions],
  ...ofResource(apiKey),
};
