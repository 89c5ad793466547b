import { BoundedMap, type Engine, type Store } from '#engine';
import type { Clock } from '../../../platform/index.ts';
import { clientRecords } from '../clients/index.ts';

/** Of a policy's header: what is more is admitted by the page that asks, where it says which it is. */
const LISTED_MAX = 50;
const CLIENTS_MAX = 10_000;
const STORES_MAX = 1000;
/** The frame shows nothing and tells no secret: who may have it can be some seconds old. */
const KEPT_MS = 10_000;

interface Kept {
  readonly origins: ReadonlySet<string>;
  readonly until: number;
}

/** Which sites may hold the page of check_session in a frame: those of an organization's clients. */
export class FrameOrigins {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #kept = new BoundedMap<string, Kept>(STORES_MAX);

  constructor({ engine, clock }: { readonly engine: Engine; readonly clock: Clock }) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /**
   * The value of `frame-ancestors`.
   * @param referer `''` where the page that asks does not say which it is
   */
  ancestors(store: Store, referer: string): string {
    const origins = this.#originsOf(store);
    if (referer === '') return [...origins].slice(0, LISTED_MAX).join(' ') || "'none'";
    const origin = URL.canParse(referer) ? new URL(referer).origin : '';
    return origins.has(origin) ? origin : "'none'";
  }

  #originsOf(store: Store): ReadonlySet<string> {
    const now = this.#clock.now();
    const known = this.#kept.get(store.name);
    if (known !== undefined && now < known.until) return known.origins;
    const origins = this.#engine.read(() => readOrigins(store));
    this.#kept.set(store.name, { origins, until: now + KEPT_MS });
    return origins;
  }
}

function readOrigins(store: Store): ReadonlySet<string> {
  const origins = new Set<string>();
  let read = 0;
  for (const { document } of clientRecords.all(store)) {
    if (++read > CLIENTS_MAX) break;
    if (!document.isActive) continue;
    for (const uri of document.redirectUris) if (/^https?:/.test(uri)) origins.add(new URL(uri).origin);
  }
  return origins;
}
