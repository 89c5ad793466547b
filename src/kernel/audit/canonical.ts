import { hash } from 'node:crypto';
import type { PersonalField, PersonalValue, StoredEntry } from './entry.ts';

/**
 * What the chain is made over: SHA-256 of the entry as JSON with sorted names, in which every personal field is only
 * its salted hash. Erasing such a field leaves the digest as it was.
 */
export function entryDigest(entry: StoredEntry): Buffer {
  const hashes: Record<string, string> = {};
  for (const field in entry.personal) {
    // `field` is a name of `personal`
    hashes[field] = hashOf(field, entry.personal[field as PersonalField] as PersonalValue);
  }
  // as text a digest comes out of the runtime in less time than as bytes
  return Buffer.from(hash('sha256', canonicalJson({ ...entry, personal: hashes }), 'binary'), 'binary');
}

/** SHA-256 over salt, name and value; base64url. */
export function hashOf(field: string, kept: PersonalValue): string {
  if ('hash' in kept) return kept.hash;
  return hash('sha256', canonicalJson([kept.salt, field, kept.value]), 'base64url');
}

/** JSON in which the names of every object are sorted and absent values are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

/** The value itself where its names are in order, as those of most are. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const ordered = value.map(inOrder);
    return ordered.every((each, index) => each === value[index]) ? value : ordered;
  }
  const given = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(given);
  const areSorted = areInOrder(names);
  let sorted: Record<string, unknown> | undefined = areSorted ? undefined : {};
  for (const name of areSorted ? names : names.sort()) {
    const member = given[name];
    const ordered = inOrder(member);
    if (areSorted && ordered === member) continue;
    sorted ??= { ...given };
    // an assignment to this name would set the prototype
    if (name === '__proto__') Object.defineProperty(sorted, name, { value: ordered, enumerable: true, writable: true });
    else sorted[name] = ordered;
  }
  return sorted ?? given;
}

function areInOrder(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) {
    if ((names[index - 1] as string) > (names[index] as string)) return false;
  }
  return true;
}
