import type { Visit } from '../../http/index.ts';
import { type Credential, parsed } from './credentials.ts';
import type { KnownKey } from './key-callers.ts';

/** Requests that are looked at together. */
const FORESEEN_MAX = 32;
const hashes = new Int32Array(FORESEEN_MAX);
const credentials: Credential[] = [];
/** Uses what is read: an unused read would be optimised away. */
const hasRead = new Int32Array(1);
const keys: KnownKey[] = [];

/**
 * Reads what the guard and a check will look at for some requests, step by step: in each step all requests wait for
 * memory at the same time, and not one after another. With many thousand organizations nearly nothing is in a
 * processor's caches. Nothing is decided by what is read here.
 */
export function foreseeCallers(requests: readonly Pick<Visit, 'header'>[]): void {
  let read = foreseeKeys(requests);
  for (const { caller, use } of keys) read ^= (use?.usedAt ?? 0) ^ (caller.touch?.() ?? 0);
  for (const { organization } of keys) {
    const { slug, store, calls } = organization;
    read ^= slug.charCodeAt(0) ^ store.touch() ^ (calls?.calls ?? 0);
  }
  // an organization that is let go must not be kept here
  keys.length = 0;
  hasRead[0] = read;
}

/** Puts into `keys` the keys that the requests seem to have. */
function foreseeKeys(requests: readonly Pick<Visit, 'header'>[]): number {
  const count = Math.min(requests.length, FORESEEN_MAX);
  let read = 0;
  for (let index = 0; index < count; index++) {
    const hash = parsed.hash((requests[index] as Pick<Visit, 'header'>).header('authorization'));
    hashes[index] = hash;
    read ^= parsed.touch(hash);
  }
  for (let index = 0; index < count; index++) {
    const entry = parsed.foresee(hashes[index] as number);
    if (entry === undefined) continue;
    read ^= entry.text.charCodeAt(0);
    credentials.push(entry.value);
  }
  for (const credential of credentials) {
    if (credential.kind !== 'key' || credential.known === undefined) continue;
    keys.push(credential.known);
  }
  credentials.length = 0;
  return read;
}
