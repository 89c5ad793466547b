import { BoundedMap } from '#engine';
import { type Clock, type OutboundGuard, outboundRequest } from '../../../platform/index.ts';

const FRESH_MS = 300_000;
/** A document that did not do is fetched anew, but not more often than this. */
const RETRY_MS = 30_000;
const KNOWN_MAX = 10_000;
const TIMEOUT_MS = 5000;
const BODY_MAX = 262_144;

/** A document as it was fetched last. */
export interface Fetched<T> {
  /** Undefined where it could not be had. */
  readonly document: T | undefined;
  /** Milliseconds since the epoch: until when it is used, and from when on another may be asked for. */
  readonly freshUntil: number;
  readonly retryAt: number;
}

/** JSON documents at addresses that tenants have named, kept for some minutes. One for each thread. */
export class FetchedDocuments<T> {
  readonly #outbound: OutboundGuard;
  readonly #clock: Clock;
  readonly #parse: (value: unknown) => T | undefined;
  readonly #known = new BoundedMap<string, Fetched<T>>(KNOWN_MAX);
  readonly #fetching = new Map<string, Promise<Fetched<T>>>();

  /** @param parse undefined where it is no such document */
  constructor(outbound: OutboundGuard, clock: Clock, parse: (value: unknown) => T | undefined) {
    this.#outbound = outbound;
    this.#clock = clock;
    this.#parse = parse;
  }

  /**
   * The document at an address.
   * @param again where the one that was answered before did not do; answers undefined where it is too early for another
   */
  async of(url: string, again = false): Promise<Fetched<T> | undefined> {
    const known = this.#known.get(url);
    const now = this.#clock.now();
    if (known !== undefined && now < (again ? known.retryAt : known.freshUntil)) return again ? undefined : known;
    return this.#fetch(url);
  }

  /** One request at a time for each address, however many wait for it. */
  #fetch(url: string): Promise<Fetched<T>> {
    const running = this.#fetching.get(url);
    if (running !== undefined) return running;
    const fetching = this.#request(url).finally(() => this.#fetching.delete(url));
    this.#fetching.set(url, fetching);
    return fetching;
  }

  /**
   * Remembers a failure like an answer, so that a broken address is not asked at each attempt. A document that was
   * fetched before is used as long as without the failure.
   */
  async #request(url: string): Promise<Fetched<T>> {
    let document: T | undefined;
    try {
      const request = { url, headers: { accept: 'application/json' }, timeoutMs: TIMEOUT_MS, bodyMax: BODY_MAX };
      const { status, body } = await outboundRequest(this.#outbound, request);
      document = status === 200 ? this.#parse(JSON.parse(body.toString('utf8'))) : undefined;
    } catch {
      document = undefined;
    }
    const now = this.#clock.now();
    const retryAt = now + RETRY_MS;
    const known = this.#known.get(url);
    const isKept = document === undefined && known?.document !== undefined && now < known.freshUntil;
    const freshUntil = document === undefined ? retryAt : now + FRESH_MS;
    const fetched = isKept ? { ...known, retryAt } : { document, freshUntil, retryAt };
    this.#known.set(url, fetched);
    return fetched;
  }
}
