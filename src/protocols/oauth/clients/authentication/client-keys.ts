import { BoundedMap } from '#engine';
import type { OwnKeys } from '../../../../directory/records/index.ts';
import {
  type Clock,
  type OutboundGuard,
  outboundRequest,
  type PublicJwks,
  verifyingKeys,
} from '../../../../platform/index.ts';

const FRESH_MS = 300_000;
/** Keys that did not fit are fetched anew, but not more often than this. */
const RETRY_MS = 30_000;
const KNOWN_MAX = 10_000;
const TIMEOUT_MS = 5000;
const BODY_MAX = 262_144;

interface Fetched {
  readonly keys: PublicJwks;
  /** Milliseconds since the epoch: until when they are used, and from when on others may be asked for. */
  readonly freshUntil: number;
  readonly retryAt: number;
}

/** Where somebody's keys are: registered, or to be fetched. */
export type KeySource = Pick<OwnKeys, 'jwks' | 'jwksUri'>;

/** The public keys of clients and of other issuers: registered ones, or those at their `jwks_uri`, kept for some minutes. */
export class ClientKeys {
  readonly #outbound: OutboundGuard;
  readonly #clock: Clock;
  readonly #known = new BoundedMap<string, Fetched>(KNOWN_MAX);
  readonly #fetching = new Map<string, Promise<Fetched>>();

  constructor(outbound: OutboundGuard, clock: Clock) {
    this.#outbound = outbound;
    this.#clock = clock;
  }

  /**
   * Its keys; none where they cannot be had.
   * @param again those that were answered before did not fit: the client may have new ones
   */
  async of({ jwks, jwksUri }: KeySource, again: boolean): Promise<PublicJwks | undefined> {
    if (jwksUri === undefined) return again ? undefined : jwks;
    const known = this.#known.get(jwksUri);
    const now = this.#clock.now();
    if (known !== undefined && now < (again ? known.retryAt : known.freshUntil)) return again ? undefined : known.keys;
    return (await this.#fetch(jwksUri)).keys;
  }

  /** One request at a time for each address, however many wait for it. */
  #fetch(uri: string): Promise<Fetched> {
    const running = this.#fetching.get(uri);
    if (running !== undefined) return running;
    const fetching = this.#request(uri).finally(() => this.#fetching.delete(uri));
    this.#fetching.set(uri, fetching);
    return fetching;
  }

  /** A failure is remembered like an answer, so that a broken address is not asked at each attempt. */
  async #request(uri: string): Promise<Fetched> {
    let keys: PublicJwks | undefined;
    try {
      const request = { url: uri, headers: { accept: 'application/json' }, timeoutMs: TIMEOUT_MS, bodyMax: BODY_MAX };
      const { status, body } = await outboundRequest(this.#outbound, request);
      keys = status === 200 ? verifyingKeys(JSON.parse(body.toString('utf8'))) : undefined;
    } catch {
      keys = undefined;
    }
    const now = this.#clock.now();
    const retryAt = now + RETRY_MS;
    const freshUntil = keys === undefined ? retryAt : now + FRESH_MS;
    const fetched: Fetched = { keys: keys ?? { keys: [] }, freshUntil, retryAt };
    this.#known.set(uri, fetched);
    return fetched;
  }
}
