import type { Module } from '../../kernel/modules/index.ts';
import { monthRecords } from './api-calls.ts';
import { infoEndpoints, type UsageParts } from './info-endpoints.ts';

/** `/tenant/info`: what an organization uses. */
export const usageModule: Module<UsageParts> = { name: 'usage', records: [monthRecords], endpoints: infoEndpoints };
