export { keyEndpoints } from './endpoints.ts';
export { KeyUse } from './key-use.ts';
