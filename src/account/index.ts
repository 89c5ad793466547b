export { accountEndpoints } from './account-endpoints.ts';
export type { AccountParts } from './parts.ts';
