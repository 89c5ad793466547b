import { EngineError } from '../../errors.ts';

/** Where a follower stands: plain data, to be kept for as long as one likes, also over a restart. */
export interface ChangeCursor {
  /** Which log the revision is of, in hexadecimal. */
  readonly log: string;
  /** Every commit up to this one has been followed. */
  readonly revision: number;
}

/** What the commits after `since` and up to `reached` did. There may be more behind it, also where there are no changes. */
export interface Followed<Change> {
  readonly isBehind: false;
  readonly since: number;
  readonly changes: readonly Change[];
  readonly reached: number;
}

/** Some of the commits after `since` are no longer kept: what was made of them is read anew, and followed from then on. */
export interface FellBehind {
  readonly isBehind: true;
  readonly since: number;
  /** From this revision on they are kept. */
  readonly oldest: number;
}

/** Reads on from a revision. It may stop before the snapshot's own, but goes on by a commit at least if there is one. */
export type ChangeSource<Result> = (after: number) => Result | FellBehind;

/** What a follower needs to know of the engine. */
export interface FollowedLog {
  readonly log: string;
  /** The snapshot's revision. */
  revision(): number;
  read<T>(task: () => T): T;
}

/**
 * Reads the changes that one thread is interested in, each once and in order, and keeps where it is. Nothing is kept in
 * the log because somebody still follows: who does not read in time falls behind.
 */
export class Follower<Result extends Followed<unknown>> {
  readonly #engine: FollowedLog;
  readonly #source: ChangeSource<Result>;
  #revision: number;

  /** Without a cursor it begins at the snapshot. @throws EngineError `log_replaced` if the cursor is of another log */
  constructor(engine: FollowedLog, source: ChangeSource<Result>, cursor?: ChangeCursor) {
    this.#engine = engine;
    this.#source = source;
    this.#revision = cursor === undefined ? engine.read(() => engine.revision()) : revisionOf(cursor, engine.log);
  }

  get cursor(): ChangeCursor {
    return { log: this.#engine.log, revision: this.#revision };
  }

  /** How many revisions there are behind the cursor, of any store. */
  get lag(): number {
    return this.#engine.read(() => this.#engine.revision() - this.#revision);
  }

  /**
   * What came next, in the snapshot of `Engine.read` or in one of its own. It is told again until `advance` is called:
   * a task of `Engine.read` may run more than once.
   * @throws EngineError `revision_ahead` where this snapshot has not reached the cursor, `unknown_store`
   */
  next(): Result | FellBehind {
    return this.#engine.read(() => {
      const latest = this.#engine.revision();
      if (this.#revision > latest) throw revisionAhead(this.#revision, latest);
      return this.#source(this.#revision);
    });
  }

  /** What `next` told has been taken: goes on behind it. */
  advance({ since, reached }: Followed<unknown>): void {
    if (since === this.#revision) this.#revision = reached;
  }

  /**
   * Takes what came up to now, page by page, and goes on behind it.
   * @param commitsMax where more commits came, nothing is read
   * @returns false where too many came, or some are no longer kept: read anew what is made of them, and `restart`
   */
  catchUp(commitsMax: number, take: (found: Result) => void): boolean {
    if (this.lag > commitsMax) return false;
    while (this.lag > 0) {
      const found = this.next();
      if (found.isBehind) return false;
      take(found);
      this.advance(found);
    }
    return true;
  }

  /** Begins anew at the snapshot, for who has read there what it would be told. */
  restart(): void {
    this.#revision = this.#engine.read(() => this.#engine.revision());
  }
}

export function revisionAhead(revision: number, latest: number): EngineError {
  return new EngineError('revision_ahead', `revision ${revision} is not here yet; the latest is ${latest}`, { latest });
}

function revisionOf({ log, revision }: ChangeCursor, own: string): number {
  if (log !== own) throw new EngineError('log_replaced', 'the cursor is of another log', { log });
  if (!Number.isSafeInteger(revision) || revision < 0) {
    throw new EngineError('invalid_argument', 'a revision is a whole number from 0', { path: 'revision' });
  }
  return revision;
}
