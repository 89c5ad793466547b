import type { Tables } from '../environment.ts';
import { pack, readRevision, revisionKey, unpack } from '../layout.ts';

const REVISION = Buffer.from('revision');
const LOG_BYTES = Buffer.from('log-bytes');
const LOG_OLDEST = Buffer.from('log-oldest');

/** How much of the change log is kept; whichever bound is passed first drops the oldest commits. */
export interface LogRetention {
  readonly commitsMax: number;
  readonly bytesMax: number;
}

/** The latest revision, and the commits that are kept. What it counts in memory is written by `flush`. */
export class CommitLog {
  readonly #tables: Tables;
  readonly #retention: LogRetention;
  #revision: number;
  #oldest: number;
  #bytes: number;

  /** Begins with what the environment says. */
  constructor(tables: Tables, retention: LogRetention) {
    this.#tables = tables;
    this.#retention = retention;
    const revision = tables.meta.getBinaryFast(REVISION);
    this.#revision = revision === undefined ? 0 : readRevision(revision);
    const oldest = tables.meta.getBinaryFast(LOG_OLDEST);
    this.#oldest = oldest === undefined ? 1 : readRevision(oldest);
    const bytes = tables.meta.getBinaryFast(LOG_BYTES);
    this.#bytes = bytes === undefined ? 0 : unpack<number>(bytes);
  }

  get revision(): number {
    return this.#revision;
  }

  /** Answers the revision of the commit. */
  append(entry: Buffer): number {
    const revision = this.#revision + 1;
    this.#tables.log.putSync(revisionKey(revision), entry, { append: true });
    this.#revision = revision;
    this.#bytes += entry.length;
    this.#trim();
    return revision;
  }

  flush(): void {
    this.#tables.meta.putSync(REVISION, revisionKey(this.#revision));
    this.#tables.meta.putSync(LOG_OLDEST, revisionKey(this.#oldest));
    this.#tables.meta.putSync(LOG_BYTES, pack(this.#bytes));
  }

  /** A few commits at a time, so that no single one pays for many. */
  #trim(): void {
    for (let i = 0; i < 4 && this.#oldest < this.#revision; i++) {
      const kept = this.#revision - this.#oldest + 1;
      if (kept <= this.#retention.commitsMax && this.#bytes <= this.#retention.bytesMax) return;
      const key = revisionKey(this.#oldest);
      this.#bytes -= this.#tables.log.getBinaryFast(key)?.length ?? 0;
      this.#tables.log.removeSync(key);
      this.#oldest++;
    }
  }
}
