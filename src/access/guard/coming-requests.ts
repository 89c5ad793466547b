import type { LookAhead } from '#engine';
import type { Foreseen } from '../../http/index.ts';
import { parsed } from './credentials.ts';
import type { KnownKey } from './key-callers.ts';

/** Requests that are looked at together. */
const REQUESTS_MAX = 32;

/**
 * Reads what the guard and a check will look at for requests that have come together, step by step as `LookAhead` does:
 * from the header to the key, its caller and its organization. Nothing is decided by what is read here.
 */
export class ComingRequests {
  readonly #ahead: LookAhead;
  readonly #hashes = new Int32Array(REQUESTS_MAX);
  readonly #slots = new Int32Array(REQUESTS_MAX);
  /** For each slot, the index of its request. */
  readonly #sent = new Int32Array(REQUESTS_MAX);
  readonly #keys: (KnownKey | undefined)[] = new Array(REQUESTS_MAX).fill(undefined);
  /** For each key, the index of its request. */
  readonly #asked = new Int32Array(REQUESTS_MAX);
  /** Uses what is read: an unused read would be optimised away. */
  readonly #hasRead = new Int32Array(1);

  constructor(ahead: LookAhead) {
    this.#ahead = ahead;
  }

  readonly foresee = (requests: readonly Foreseen[]): void => {
    const count = Math.min(requests.length, REQUESTS_MAX);
    for (let index = 0; index < count; index++) {
      const { octets, credentialFrom, credentialTo } = requests[index] as Foreseen;
      this.#hashes[index] = parsed.hashAt(octets, credentialFrom, credentialTo);
    }
    const found = parsed.slotsOf(this.#hashes, count, this.#slots, this.#sent);
    for (let index = 0; index < found; index++) {
      (requests[this.#sent[index] as number] as Foreseen).credentialSlot = this.#slots[index] as number;
    }
    const known = this.#readKeys(found);
    this.#readOrganizations(requests, known);
    const [first] = requests;
    if (first !== undefined) this.#ahead.read(first.octets);
    // an organization that is let go must not be kept here
    for (let index = 0; index < known; index++) this.#keys[index] = undefined;
  };

  /** @returns how many of the credentials are keys that are known */
  #readKeys(count: number): number {
    let known = 0;
    for (let index = 0; index < count; index++) {
      const credential = parsed.valueAt(this.#slots[index] as number);
      if (credential?.kind !== 'key' || credential.known === undefined) continue;
      this.#asked[known] = this.#sent[index] as number;
      this.#keys[known++] = credential.known;
    }
    return known;
  }

  #readOrganizations(requests: readonly Foreseen[], count: number): void {
    let read = 0;
    for (let index = 0; index < count; index++) read ^= this.#keyAt(index).touch();
    for (let index = 0; index < count; index++) {
      const { organization, caller, use } = this.#keyAt(index);
      read ^= (caller.touch?.() ?? 0) ^ (use?.isNoted === true ? 1 : 0) ^ (organization.calls === undefined ? 0 : 1);
    }
    for (let index = 0; index < count; index++) {
      const { organization } = this.#keyAt(index);
      read ^= organization.slug.charCodeAt(0) ^ (organization.calls?.calls ?? 0);
      const { bodyFrom, bodyTo } = requests[this.#asked[index] as number] as Foreseen;
      this.#ahead.add(organization.store, bodyFrom, bodyTo);
    }
    this.#hasRead[0] = read;
  }

  #keyAt(index: number): KnownKey {
    return this.#keys[index] as KnownKey;
  }
}
