import { BoundedMap } from '#engine';
import type { Background } from './background.ts';

const RECORDS_MAX = 10_000;
/** After this time a record is tried and reported again: it may have been repaired. */
const ASIDE_MS = 3_600_000;

/**
 * Records of one store that a job cannot read or understand. Each is reported once and skipped for an hour, so that the
 * job reaches those behind it. "relata verify" names the unreadable ones.
 */
export class SetAside {
  readonly #background: Background;
  readonly #job: string;
  readonly #store: string;
  readonly #until = new BoundedMap<string, number>(RECORDS_MAX);

  constructor(background: Background, job: string, store: string) {
    this.#background = background;
    this.#job = job;
    this.#store = store;
  }

  /** How many are skipped. If a job reads a limited number of records, these come on top. */
  get size(): number {
    return this.#until.size;
  }

  has(collection: string, id: string): boolean {
    const key = `${collection}\n${id}`;
    const until = this.#until.get(key);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#until.delete(key);
    return false;
  }

  /** The result for a record; `undefined` if the record itself made it fail, now or within the last hour. */
  attempt<T>(collection: string, id: string, read: () => T): T | undefined {
    if (this.has(collection, id)) return undefined;
    try {
      return read();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#until.set(`${collection}\n${id}`, performance.now() + ASIDE_MS);
      this.#background.failed(this.#job, error, { store: this.#store, record: `${collection}/${id}` });
      return undefined;
    }
  }
}

/**
 * Whether an error is about the data that was read: bytes that are not a record, or a document of the wrong shape.
 * Other errors are about reading itself; one of them makes the engine read again in a new snapshot.
 */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true;
  return error instanceof Error && error.name === 'EngineError' && (error as { code?: unknown }).code === 'corrupt';
}
