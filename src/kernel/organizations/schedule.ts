import type { Engine, Followed, Follower } from '#engine';

/** Due, whatever the time. */
const AT_ONCE = Number.NEGATIVE_INFINITY;

/**
 * When each store has something to do next, for one job. What the job has worked out for a store holds until a commit
 * touches the store: the schedule follows the log, and such a store is due at once. All stores are due at first, and
 * where the log no longer tells which ones were touched.
 *
 * It is in memory alone, and is made anew by one look at each store. So nothing has to be written or upgraded for it,
 * and it cannot differ from what is stored.
 */
export class Schedule {
  readonly #engine: Engine;
  readonly #prefix: string;
  readonly #follower: Follower<Followed<string>>;
  /** Times by store. A store without one has nothing due before the next commit. */
  readonly #times = new Map<string, number>();
  /** No time is before this one. */
  #first = AT_ONCE;
  #isBegun = false;

  /** Of the stores whose names begin with a prefix. Commits to `ignored` collections alone make nothing due. */
  constructor(engine: Engine, prefix: string, ignored: readonly string[]) {
    this.#engine = engine;
    this.#prefix = prefix;
    this.#follower = engine.followStores(ignored);
  }

  /** The stores whose time has come. Each stays due until `set` says otherwise. */
  due(now: number): string[] {
    this.#follow();
    if (now < this.#first) return [];
    const due: string[] = [];
    this.#first = Number.POSITIVE_INFINITY;
    for (const [store, time] of this.#times) {
      if (time <= now) due.push(store);
      this.#first = Math.min(this.#first, time);
    }
    return due;
  }

  /** As it was worked out after the last call of `due`. */
  set(store: string, time: number): void {
    if (time === Number.POSITIVE_INFINITY) {
      this.#times.delete(store);
      return;
    }
    const isTime = !Number.isNaN(time);
    this.#times.set(store, isTime ? time : AT_ONCE);
    this.#first = Math.min(this.#first, isTime ? time : AT_ONCE);
  }

  #follow(): void {
    const found = this.#isBegun ? this.#follower.next() : undefined;
    if (found === undefined || found.isBehind) {
      this.#follower.restart();
      this.#isBegun = true;
      for (const store of this.#engine.storeNames()) this.#touch(store);
      return;
    }
    this.#follower.advance(found);
    for (const store of found.changes) this.#touch(store);
  }

  #touch(store: string): void {
    if (store.startsWith(this.#prefix)) this.set(store, AT_ONCE);
  }
}
