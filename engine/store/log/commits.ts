import {
  commitNotes,
  isOfRecordsAlone,
  isSlim,
  notesBytes,
  ownerOf,
  type RecordChange,
  readCommit,
  SHARED,
  storesOf,
} from '../change-log.ts';
import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';
import { denseFrom } from './log-marks.ts';

const KNOWN_MAX = 65_536;
/** In place of a store's number: of the commit nothing is left to follow. Its stores have a mark that says so. */
const NOBODY = 0xffffffff;
/** Entries that one call reads, so that a turn is bounded. Known commits of other stores are not read. */
const READ_MAX = 10_000;
/** With more commits than this, who asks for touched stores looks at all of them: about 1 µs a commit that has to be read. */
const TOUCHED_MAX = 500_000;

/** Collections that this thread has been asked about by name. */
const COLLECTIONS_MAX = 64;

/** The bytes are valid until the next read. Answers whether to go on. */
export type CommitVisitor = (revision: number, bytes: Buffer) => boolean;

/**
 * The commits of the change log, in order, for all followers in one thread. All of them pass here when the thread's
 * snapshot moves, and the stores of the last ones are remembered. So a follower of one store skips the commits of
 * others without reading them. To be called inside `Snapshot.read`.
 */
export class Commits {
  readonly #tables: Tables;
  /** By revision modulo its length: the only store that the commit touched, `SHARED` or `NOBODY`. */
  readonly #owners = new Uint32Array(KNOWN_MAX);
  /** Known are the owners of the commits after `#from`, up to `#to`. */
  #from = 0;
  #to = 0;
  /** By collection: the last known commit that may have touched a record of it, in any store. */
  readonly #named = new Map<string, { readonly bytes: Buffer; revision: number }>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /**
   * Every commit after one revision and up to another, which becomes the last known. False where one is missing, or where
   * the visitor stopped: then `beginAfter` is to be called.
   */
  pass(from: number, to: number, visit: CommitVisitor): boolean {
    if (from !== this.#to) this.beginAfter(from);
    for (let revision = from + 1; revision <= to; revision++) {
      const bytes = readCommit(this.#tables, revision);
      if (bytes === undefined) return false;
      this.#owners[revision % KNOWN_MAX] = followedBy(bytes);
      if (this.#named.size > 0) this.#note(revision, bytes);
      if (!visit(revision, bytes)) return false;
    }
    this.#to = to;
    this.#from = Math.max(this.#from, to - KNOWN_MAX);
    return true;
  }

  /** Nothing is known of the commits up to this revision. */
  beginAfter(revision: number): void {
    this.#from = revision;
    this.#to = revision;
    this.#named.clear();
  }

  /**
   * Whether the commits after a revision and up to another have touched no record of a collection, in any store. False
   * where that is not known without a look at them.
   */
  areSilentOf(collection: string, after: number, to: number): boolean {
    if (to !== this.#to) return false;
    const named = this.#named.get(collection);
    if (named !== undefined) return after >= named.revision;
    // what comes next is noted; what was before is not known
    if (this.#named.size < COLLECTIONS_MAX) {
      this.#named.set(collection, { bytes: Buffer.from(collection), revision: to });
    }
    return after >= to;
  }

  /**
   * The commits after a revision and up to another that may have touched a store; without a store, all that are kept.
   * Answers up to where it came: that revision where the visitor stopped there, or a little way where there is much.
   */
  visit(store: number | undefined, after: number, to: number, visit: CommitVisitor): number {
    const { log } = this.#tables;
    const dense = Math.min(denseFrom(this.#tables), to + 1);
    let at = after;
    let left = READ_MAX;
    if (at + 1 < dense) {
      // the older part has gaps, of any length
      for (const key of log.getKeys({ start: revisionKey(at + 1), end: revisionKey(dense), limit: left })) {
        at = readRevision(key);
        left--;
        if (!this.#show(store, at, visit)) return at;
      }
      if (left === 0) return at;
      at = dense - 1;
    }
    for (; left > 0; left--) {
      const isKnown = store !== undefined && at >= this.#from && at < this.#to;
      const next = isKnown ? this.#nextKnown(store, at + 1, to) : at + 1;
      if (next > to) return to;
      at = next;
      if (!this.#show(store, at, visit)) return at;
    }
    return at;
  }

  /**
   * Numbers of the stores that the commits after a revision and up to another touched; undefined where that is no longer
   * known. Commits that wrote records of `ignored` collections alone do not count.
   */
  touched(after: number, to: number, ignored: ReadonlySet<string>): Set<number> | undefined {
    const found = new Set<number>();
    if (after >= to) return found;
    // most commits are of the store of the one before
    let last: number | undefined;
    if (after + 1 < denseFrom(this.#tables) || to - after > TOUCHED_MAX) return undefined;
    for (let revision = after + 1; revision <= to; revision++) {
      const isKnown = revision > this.#from && revision <= this.#to;
      const owner = isKnown ? (this.#owners[revision % KNOWN_MAX] as number) : SHARED;
      if (owner === last) continue;
      const isSure = owner !== SHARED && owner !== NOBODY;
      if (isSure && (found.has(owner) || ignored.size === 0)) {
        found.add(owner);
        last = owner;
        continue;
      }
      const bytes = readCommit(this.#tables, revision);
      if (bytes === undefined) return undefined;
      if (isOfRecordsAlone(bytes) && recordsOf(bytes).every(({ collection }) => ignored.has(collection))) continue;
      for (const store of storesOf(bytes)) found.add(store);
    }
    // a commit of an earlier version does not say which stores it touched
    return found.has(SHARED) ? undefined : found;
  }

  /** A commit that touches a record names its collection; of a slim one nothing is known. */
  #note(revision: number, bytes: Buffer): void {
    const isUnknown = isSlim(bytes);
    // without the tuples, of which an import has very many
    const notes = notesBytes(bytes);
    for (const named of this.#named.values()) {
      if (isUnknown || notes.includes(named.bytes)) named.revision = revision;
    }
  }

  #show(store: number | undefined, revision: number, visit: CommitVisitor): boolean {
    const bytes = readCommit(this.#tables, revision);
    if (bytes === undefined) return true;
    if (store !== undefined) {
      const owner = followedBy(bytes);
      if (owner !== store && owner !== SHARED) return true;
    }
    // lmdb's own buffer is longer than the value
    return visit(revision, bytes.subarray(0, bytes.length));
  }

  #nextKnown(store: number, from: number, to: number): number {
    const owners = this.#owners;
    const end = Math.min(this.#to, to);
    for (let revision = from; revision <= end; revision++) {
      const owner = owners[revision % KNOWN_MAX];
      if (owner === store || owner === SHARED) return revision;
    }
    return end + 1;
  }
}

function recordsOf(bytes: Buffer): readonly RecordChange[] {
  return commitNotes(bytes).records ?? [];
}

function followedBy(bytes: Buffer): number {
  return isSlim(bytes) ? NOBODY : ownerOf(bytes);
}
