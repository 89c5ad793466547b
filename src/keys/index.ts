export { keyEndpoints } from './endpoints.ts';
export { findKey, getKey, isLastingKey, isLive, keyCounts, keySubject, mintKey } from './key-record.ts';
export { KeyUse } from './key-use.ts';
