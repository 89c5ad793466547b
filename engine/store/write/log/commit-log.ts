import { commitNotes, isSlim, ownerOf, SHARED, slimmed, storesOf, unlistedStores } from '../../change-log.ts';
import type { Tables } from '../../environment.ts';
import { pack, readRevision, revisionKey, unpack } from '../../layout.ts';
import { denseFrom, LOG_OLDEST, readMarks, writeMark } from '../../log/log-marks.ts';
import { type LogShare, LogShares } from './log-shares.ts';

const REVISION = Buffer.from('revision');
const LOG_BYTES = Buffer.from('log-bytes');
/**
 * How many of the last commits have an entry, at least a slim one. Caches never have more commits than this to follow.
 */
const DENSE_COMMITS = 65_536;
/** Most commits that leave the log when one enters, so that no commit pays for many. */
const LEAVING_MAX = 4;

/**
 * How much of the change log is kept. When a bound is passed, the store with the most bytes loses its oldest commits.
 */
export interface LogRetention {
  readonly commitsMax: number;
  readonly bytesMax: number;
  /** Of the commits of one store. */
  readonly storeBytesMax: number;
}

/**
 * The latest revision, and the kept commits. They are bounded in such a way that no store pays for what another one
 * writes: the store with the most bytes in the log loses its own oldest commits, and a mark says up to which revision
 * its changes can no longer be followed (`log-marks.ts`). Commits that touched several stores share one more bound, as
 * if they were a store of their own; when one is removed, every store that it touched is marked.
 *
 * From `log-oldest` on every revision has an entry. A commit that is removed from there leaves a slim entry, which only
 * says which stores it touched, so that caches of other stores can follow on. The part before `log-oldest` has gaps: it
 * holds only the commits that their stores still keep.
 *
 * Removal depends on the commits alone, however they are batched. Shares are in memory, and are read at the start.
 * `rollBack` undoes what a rolled back transaction did to them.
 */
export class CommitLog {
  readonly #tables: Tables;
  readonly #retention: LogRetention;
  readonly #shares = new LogShares();
  readonly #slim = new Set<number>();
  readonly #marks = new Map<number, number>();
  /** Stores whose mark moved in this transaction. */
  readonly #moved = new Set<number>();
  #undo: (() => void)[] = [];
  #revision: number;
  #dense: number;
  #bytes = 0;
  #commits = 0;

  constructor(tables: Tables, retention: LogRetention) {
    this.#tables = tables;
    this.#retention = retention;
    const revision = tables.meta.getBinaryFast(REVISION);
    this.#revision = revision === undefined ? 0 : readRevision(revision);
    this.#dense = denseFrom(tables);
    const bytes = tables.meta.getBinaryFast(LOG_BYTES);
    if (bytes !== undefined) this.#bytes = unpack<number>(bytes);
    for (const { store, revision } of readMarks(tables)) this.#marks.set(store, revision);
    for (const { key, value } of tables.log.getRange({})) {
      const revision = readRevision(key);
      if (isSlim(value)) this.#slim.add(revision);
      else this.#enter(ownerOf(value), revision, value.length);
    }
  }

  get revision(): number {
    return this.#revision;
  }

  /** `owner` is the only store that the commit touched, or `SHARED`. Answers the commit's revision. */
  append(owner: number, entry: Buffer): number {
    const revision = this.#revision + 1;
    const { length } = entry;
    this.#tables.log.putSync(revisionKey(revision), entry, { append: true });
    this.#revision = revision;
    this.#bytes += length;
    this.#enter(owner, revision, length);
    this.#undo.push(() => {
      this.#exit(this.#shares.of(owner), length, 'newest');
      this.#bytes -= length;
      this.#revision = revision - 1;
    });
    for (const store of unlistedStores(entry)) this.#mark(store, revision);
    while (revision - this.#dense >= DENSE_COMMITS) this.#thin();
    for (let i = 0; i < LEAVING_MAX; i++) {
      const share = this.#over();
      if (share === undefined || share.revisions.first === revision) break;
      this.#leave(share);
    }
    return revision;
  }

  /** Removes commits older than a time, at most `limit`. The newest stays. */
  trim(before: number, limit: number): void {
    const old: number[] = [];
    for (const { key, value } of this.#tables.log.getRange({ limit })) {
      const revision = readRevision(key);
      if (isSlim(value)) continue;
      if (revision === this.#revision || commitNotes(value).time >= before) break;
      old.push(ownerOf(value));
    }
    // in the order of the log, so that each is the oldest of its store
    for (const owner of old) this.#leave(this.#shares.of(owner));
  }

  /** To be called at the end of every transaction. */
  flush(): void {
    const { meta } = this.#tables;
    for (const store of this.#moved) {
      const revision = this.#marks.get(store);
      if (revision !== undefined) writeMark(this.#tables, store, revision);
    }
    meta.putSync(REVISION, revisionKey(this.#revision));
    meta.putSync(LOG_OLDEST, revisionKey(this.#dense));
    meta.putSync(LOG_BYTES, pack(this.#bytes));
  }

  /** Where `rollBack` can go back to, until the transaction is durable. */
  checkpoint(): number {
    return this.#undo.length;
  }

  rollBack(checkpoint: number): void {
    while (this.#undo.length > checkpoint) this.#undo.pop()?.();
  }

  /** The transaction is durable. */
  settle(): void {
    this.#undo = [];
    this.#moved.clear();
  }

  #over(): LogShare | undefined {
    const { bytesMax, storeBytesMax, commitsMax } = this.#retention;
    const largest = this.#shares.largest();
    const isOver = this.#bytes > bytesMax || this.#commits > commitsMax || (largest?.bytes ?? 0) > storeBytesMax;
    return isOver ? largest : undefined;
  }

  /** The oldest commit of a share leaves the log. */
  #leave(share: LogShare): void {
    const revision = share.revisions.first;
    const key = revisionKey(revision);
    const { store } = share;
    const { log } = this.#tables;
    // the buffer of `getBinaryFast` may be longer than the entry, and what it notes is read to its end
    const entry = (store === SHARED ? log.getBinary(key) : log.getBinaryFast(key)) as Buffer;
    const { length } = entry;
    const stores = store === SHARED ? storesOf(entry) : [store];
    for (const each of stores) this.#mark(each, revision);
    const slim = revision > this.#dense ? slimmed(entry, stores) : undefined;
    if (slim === undefined) log.removeSync(key);
    else log.putSync(key, slim);
    const freed = length - (slim?.length ?? 0);
    this.#bytes -= freed;
    if (slim !== undefined) this.#slim.add(revision);
    this.#exit(share, length, 'oldest');
    this.#undo.push(() => {
      this.#enter(store, revision, length, 'oldest');
      if (slim !== undefined) this.#slim.delete(revision);
      this.#bytes += freed;
    });
    if (revision === this.#dense) this.#thin();
    while (this.#slim.has(this.#dense)) this.#thin();
  }

  /** Moves `log-oldest` on by one: the revision there no longer needs an entry. */
  #thin(): void {
    const revision = this.#dense;
    const wasSlim = this.#slim.has(revision);
    const freed = wasSlim ? this.#remove(revision) : 0;
    this.#dense++;
    this.#bytes -= freed;
    if (wasSlim) this.#slim.delete(revision);
    this.#undo.push(() => {
      this.#dense = revision;
      this.#bytes += freed;
      if (wasSlim) this.#slim.add(revision);
    });
  }

  /** Answers how many bytes the entry had. */
  #remove(revision: number): number {
    const key = revisionKey(revision);
    const { log } = this.#tables;
    const length = log.getBinaryFast(key)?.length ?? 0;
    log.removeSync(key);
    return length;
  }

  #mark(store: number, revision: number): void {
    const before = this.#marks.get(store) ?? 0;
    if (revision <= before) return;
    this.#marks.set(store, revision);
    this.#moved.add(store);
    this.#undo.push(() => {
      if (before === 0) this.#marks.delete(store);
      else this.#marks.set(store, before);
    });
  }

  #enter(store: number, revision: number, bytes: number, at: 'oldest' | 'newest' = 'newest'): void {
    const share = this.#shares.of(store);
    if (at === 'oldest') share.revisions.unshift(revision);
    else share.revisions.push(revision);
    this.#shares.resize(share, bytes);
    this.#commits++;
  }

  #exit(share: LogShare, bytes: number, at: 'oldest' | 'newest'): void {
    if (at === 'oldest') share.revisions.shift();
    else share.revisions.pop();
    this.#shares.resize(share, -bytes);
    this.#commits--;
  }
}
