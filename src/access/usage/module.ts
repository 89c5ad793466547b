import type { Module } from '../../kernel/modules/index.ts';
import { monthRecords } from './api-calls.ts';
import { infoEndpoints, type UsageDependencies } from './info-endpoints.ts';

/** `/tenant/info`: what an organization uses. */
export const usageModule: Module<UsageDependencies> = {
  name: 'usage',
  records: [monthRecords],
  endpoints: infoEndpoints,
};
