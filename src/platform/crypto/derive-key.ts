import { hkdfSync } from 'node:crypto';

/**
 * A key of 32 bytes for one purpose. Keys of different purposes tell nothing about each other or the master key.
 * @param masterKey at least 32 characters of a random secret
 */
export function deriveKey(masterKey: string, purpose: 'audit chain'): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, '', `relata ${purpose} key 1`, 32));
}
