export { keyEndpoints } from './endpoints.ts';
export {
  findKey,
  getKey,
  isLastingKey,
  isLive,
  type KeyEntry,
  type KeyRecord,
  keyCollection,
  keyCounts,
  keySubject,
  keyWrite,
  mintKey,
  type NewKey,
} from './key-record.ts';
export { type KeyParts, KeyService, type NewKeyRequest } from './key-service.ts';
export { KeyUse, keyUseCollection, lastUse } from './key-use.ts';
