import type { Background } from './background.ts';
import type { BackgroundJob } from './jobs.ts';

const RECORDS_MAX = 10_000;
/** After this a record is tried, and told of, again: it may have been repaired. */
const ASIDE_MS = 3_600_000;

/**
 * Records of one store that a job cannot read, or makes no sense of. Each is told of once and passed over for an hour,
 * so that those behind it are met. "relata verify" names the unreadable ones.
 */
export class SetAside {
  readonly #background: Background;
  readonly #job: BackgroundJob;
  readonly #store: string;
  readonly #until = new Map<string, number>();

  constructor(background: Background, job: BackgroundJob, store: string) {
    this.#background = background;
    this.#job = job;
    this.#store = store;
  }

  /** How many are passed over. Where a job reads at most so many records, these come on top. */
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

  /** What is made of a record; `undefined` where that fails by the record, now or within the last hour. */
  attempt<T>(collection: string, id: string, read: () => T): T | undefined {
    if (this.has(collection, id)) return undefined;
    try {
      return read();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (this.#until.size >= RECORDS_MAX) this.#until.clear();
      this.#until.set(`${collection}\n${id}`, performance.now() + ASIDE_MS);
      this.#background.failed(this.#job, error, { store: this.#store, record: `${collection}/${id}` });
      return undefined;
    }
  }
}

/**
 * Whether an error tells of what was read: bytes that are no record, or a document that is not what it should be. Others
 * are of the reading, and one of them makes the engine read again in a new snapshot.
 */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true;
  return error instanceof Error && error.name === 'EngineError' && (error as { code?: unknown }).code === 'corrupt';
}
