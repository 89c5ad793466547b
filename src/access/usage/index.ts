export { ApiCalls, monthRecords } from './api-calls.ts';
export { countedGuard } from './counted-guard.ts';
export { infoEndpoints } from './info-endpoints.ts';
