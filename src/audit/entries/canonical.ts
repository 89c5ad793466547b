import { createHash } from 'node:crypto';
import type { PersonalValue, StoredEntry } from './entry.ts';

/**
 * What the chain is made over: SHA-256 of the entry as JSON with sorted names, in which every personal field is only
 * its salted hash. Erasing such a field leaves the digest as it was.
 */
export function entryDigest({ personal, ...entry }: StoredEntry): Buffer {
  const hashes = Object.entries(personal).map(([field, kept]) => [field, hashOf(field, kept as PersonalValue)]);
  return createHash('sha256')
    .update(canonicalJson({ ...entry, personal: Object.fromEntries(hashes) }))
    .digest();
}

/** SHA-256 over salt, name and value; base64url. */
export function hashOf(field: string, kept: PersonalValue): string {
  if ('hash' in kept) return kept.hash;
  return createHash('sha256')
    .update(canonicalJson([kept.salt, field, kept.value]))
    .digest('base64url');
}

/** JSON in which the names of every object are sorted and absent values are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    const sorted = Object.entries(each).filter(([, member]) => member !== undefined);
    return Object.fromEntries(sorted.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
