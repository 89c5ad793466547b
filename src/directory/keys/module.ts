import type { Module } from '../../kernel/modules/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import { keyRecords } from '../records/index.ts';
import { keyEndpoints } from './endpoints.ts';
import { keyUseRecords } from './key-use.ts';

/** `/admin/api-keys`. */
export const keysModule: Module<AdminDependencies> = {
  name: 'keys',
  records: [keyRecords, keyUseRecords],
  endpoints: keyEndpoints,
};
