export { accountEndpoints } from './account-endpoints.ts';
