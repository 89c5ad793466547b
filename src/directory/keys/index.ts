import { ofResource } from '../../kernel/modules/index.ts';
import { apiKey, keyUseRecords } from './api-key.ts';

export { keyUseRecords } from './api-key.ts';

/** `/admin/api-keys`. */
export const keysModule = {
  name: 'keys',
  records: [apiKey.records, keyUseRecords],
  ...ofResource(apiKey),
};
