import { ofResource } from '../../kernel/modules/index.ts';
import { apiKey } from './api-key.ts';
import { keyUseRecords } from './key-use.ts';

/** `/admin/api-keys`. */
export const keysModule = {
  name: 'keys',
  records: [apiKey.records, keyUseRecords],
  ...ofResource(apiKey),
};
