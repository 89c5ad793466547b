export { keyEndpoints } from './endpoints.ts';
export { KeyUse, keyUseRecords } from './key-use.ts';
