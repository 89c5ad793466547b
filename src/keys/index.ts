export {
  findKey,
  getKey,
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
export { KeyUse, keyUseCollection, lastUse } from './key-use.ts';
