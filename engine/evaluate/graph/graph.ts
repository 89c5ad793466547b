import {
  commitNotes,
  forEachEdge,
  isListed,
  type Qualifier,
  type StoreChange,
  TOUCHES_STORES,
  TOUCHES_SUBJECTS,
  unlistedStores,
} from '../../store/change-log.ts';
import { aimKey, edgeKey, QUALIFIED, scanned, swapKinds } from '../../store/edge-key.ts';
import type { EdgeKeys, Tables } from '../../store/environment.ts';
import { unpack } from '../../store/layout.ts';
import { Commits } from '../../store/log/commits.ts';
import type { KeySize } from '../../store/scan/edge-scan.ts';
import type { ReadTransaction } from '../../store/scan/read-transaction.ts';
import { SuspendedByStore } from '../../store/suspended/suspended-subjects.ts';
import { BlockCache } from './block-cache.ts';
import { KeptClosures } from './kept-closures.ts';
import { KeptCounts } from './kept-counts.ts';
import { LIST_MAX, ListReader } from './list-reader.ts';
import { countKeys, nodesAt } from './nodes-at.ts';
import { countIn, nodesIn, TOO_LONG } from './packed-list.ts';
import { StoredShapes } from './stored-shapes.ts';
import { Touches } from './touched-stores.ts';

/** An object's tuples are kept as one list up to this many, else relation by relation. */
const OBJECT_LIST_MAX = 256;
/** An object names hardly ever more usersets of one shape. */
const USERSETS_MAX = 64;
/** With more commits than this between two snapshots, starting over is cheaper than following. */
const FOLLOW_MAX = 10_000;
const ASCENT_TAG = 0x80000000;
const CLOSURES_SHARE = 1 / 4; // of the memory for lists

/**
 * The tuples of every store as adjacency lists, and the suspended subjects beside them: cached, exact at the snapshot's
 * revision. Calls must come from inside `Snapshot.read`; `data` belongs to the last call.
 *
 * Lists in `data` are read by `packed-list.ts`. Their `kinds` are `object kind << 16 | subject kind`, whichever side the
 * list belongs to.
 */
export class Graph {
  readonly suspended: SuspendedByStore;
  readonly touched = new Touches();
  /** By which all followers in this thread follow the log. */
  readonly commits: Commits;
  readonly #tables: Tables;
  readonly lists: BlockCache;
  readonly #counts = new KeptCounts();
  readonly closures: KeptClosures;
  readonly shapes: StoredShapes;
  readonly #key = edgeKey();
  /** Ranges from `#key` on, made once. */
  readonly #forwardKeys: EdgeKeys;
  readonly #reverseKeys: EdgeKeys;
  readonly #reader: ListReader;

  constructor(tables: Tables, cacheBytes: number, transaction: ReadTransaction) {
    this.#tables = tables;
    this.commits = new Commits(tables);
    this.#forwardKeys = tables.forward.getKeys({ start: this.#key });
    this.#reverseKeys = tables.reverse.getKeys({ start: this.#key });
    this.#reader = new ListReader(tables, transaction);
    this.lists = new BlockCache(cacheBytes * (1 - CLOSURES_SHARE));
    this.closures = new KeptClosures(cacheBytes * CLOSURES_SHARE);
    this.shapes = new StoredShapes(tables);
    this.suspended = new SuspendedByStore(tables);
  }

  get data(): Int32Array {
    return this.lists.data;
  }

  get hits(): number {
    return this.lists.hits;
  }

  get misses(): number {
    return this.lists.misses;
  }

  /** All tuples of an object. */
  objectList(store: number, object: number): number {
    return this.lists.find(store, object, 0) || this.#load(store, object, 0, 0, 8, OBJECT_LIST_MAX);
  }

  /** The tuples of one relation of an object. */
  relationList(store: number, object: number, objectKind: number): number {
    return (
      this.lists.find(store, object, objectKind) ||
      this.#load(store, object, objectKind, objectKind << 16, 10, LIST_MAX)
    );
  }

  /** The usersets of one shape in an object's tuples, without those of a condition or an expiry. */
  usersetList(store: number, object: number, kinds: number): number {
    return this.lists.find(store, object, kinds) || this.#load(store, object, kinds, kinds, 12, USERSETS_MAX);
  }

  /** The objects that name a subject in tuples of one kind; two groups at most, without and with qualifiers. */
  ascentList(store: number, subject: number, subjectKind: number, objectKind: number): number {
    const tag = ASCENT_TAG | (subjectKind << 16) | objectKind | 0;
    return this.lists.find(store, subject, tag) || this.#loadAscent(store, subject, subjectKind, objectKind, tag);
  }

  /** Is this very tuple stored? `kinds` with the qualified bit for one that has a condition or an expiry. */
  has(store: number, object: number, kinds: number, subject: number): boolean {
    if (!this.shapes.has(store, kinds)) return false;
    aimKey(this.#key, store, object, kinds, subject, 16);
    return this.#tables.forward.doesExist(this.#key);
  }

  qualifier(store: number, object: number, kinds: number, subject: number): Qualifier | undefined {
    aimKey(this.#key, store, object, kinds | QUALIFIED, subject, 16);
    const bytes = this.#tables.forward.getBinaryFast(this.#key);
    return bytes === undefined ? undefined : unpack<Qualifier>(bytes);
  }

  /** Subjects of an object's tuples of one shape, in order, uncached. `visit` returns false to stop. */
  scanSubjects(store: number, object: number, kinds: number, after: number, visit: (subject: number) => boolean): void {
    if (this.shapes.has(store, kinds)) this.#scan(this.#forwardKeys, store, object, kinds, after, visit);
  }

  /** Objects that name a subject in tuples of one shape, in order, uncached. `kinds` is `object << 16 | subject`. */
  scanObjects(store: number, subject: number, kinds: number, after: number, visit: (object: number) => boolean): void {
    if (this.shapes.has(store, kinds)) this.#scan(this.#reverseKeys, store, subject, swapKinds(kinds), after, visit);
  }

  /** How many subjects an object's tuples of one shape name: told by its list, or counted where that is not kept. */
  countSubjects(store: number, object: number, kinds: number): number {
    if (!this.shapes.has(store, kinds)) return 0;
    const list = this.objectList(store, object);
    const known = countIn(this.data, list, kinds);
    if (known !== undefined) return known;
    return this.#counts.of(store, object, kinds, () => countKeys(this.#tables.forward, store, object, kinds));
  }

  countObjects(store: number, subject: number, kinds: number): number {
    const list = this.#ascentOf(store, subject, kinds);
    return countIn(this.data, list, kinds) ?? countKeys(this.#tables.reverse, store, subject, swapKinds(kinds));
  }

  /** Some of an object's subjects of one shape, by their offset among them. */
  subjectsAt(store: number, object: number, kinds: number, offset: number, limit: number): number[] {
    return this.#counts.offsets.nodesAt(this.#tables.forward, store, object, kinds >>> 0, offset, limit);
  }

  /** Some of the objects that name a subject in tuples of one shape, by their offset among them. */
  objectsAt(store: number, subject: number, kinds: number, offset: number, limit: number): number[] {
    const list = this.#ascentOf(store, subject, kinds);
    const found = nodesIn(this.data, list, kinds, offset, limit);
    return found ?? nodesAt(this.#tables.reverse, store, subject, swapKinds(kinds), offset, limit);
  }

  #ascentOf(store: number, subject: number, kinds: number): number {
    return this.ascentList(store, subject, kinds & ~QUALIFIED & 0xffff, kinds >>> 16);
  }

  /**
   * Drops what the commits from one revision to another touched; to be called inside the new snapshot. Answers which
   * stores they made, deleted and remodelled; undefined where that is not known: then all was dropped.
   */
  follow(from: number, to: number): readonly StoreChange[] | undefined {
    if (from === 0 || to - from > FOLLOW_MAX) return this.#forget(to);
    this.touched.begin(from);
    const storeChanges: StoreChange[] = [];
    const unlisted = new Set<number>();
    const isWhole = this.commits.pass(from, to, (revision, bytes) => {
      if (!isListed(bytes)) return false;
      this.touched.all.touchBy(bytes, revision);
      const flags = bytes[0] as number;
      if ((flags & TOUCHES_STORES) !== 0) {
        const { stores } = commitNotes(bytes);
        if (stores === undefined) return false; // what is left of a removed commit does not say what it did
        for (const { store } of stores) this.touched.tuples.touch(store, revision);
        storeChanges.push(...stores);
      }
      if ((flags & TOUCHES_SUBJECTS) !== 0) this.#followSubjects(bytes, revision);
      for (const store of unlistedStores(bytes)) {
        this.touched.tuples.touch(store, revision);
        unlisted.add(store);
      }
      forEachEdge(bytes, (op, store, object, kinds, subject) => {
        this.touched.tuples.touch(store, revision);
        this.#touch(store, object, kinds, subject);
        this.#counts.touch(op, store, object, kinds, this.shapes.has(store, kinds | QUALIFIED));
      });
      return true;
    });
    if (!isWhole) return this.#forget(to);
    for (const store of unlisted) this.#forgetStore(store);
    return storeChanges;
  }

  #forgetStore(store: number): void {
    this.lists.removeStore(store);
    this.#counts.clear();
    this.closures.forgetStore(store);
    this.shapes.forget(store);
    this.suspended.readAgain(store);
  }

  #followSubjects(bytes: Buffer, revision: number): void {
    const suspensions = commitNotes(bytes).suspensions ?? [];
    for (const { store } of suspensions) this.touched.tuples.touch(store, revision);
    this.suspended.follow(suspensions);
  }

  #forget(revision: number): undefined {
    this.commits.beginAfter(revision);
    this.touched.forget(revision);
    this.lists.clear();
    this.#counts.clear();
    this.closures.clear();
    this.shapes.clear();
    this.suspended.clear();
    return undefined;
  }

  #touch(store: number, object: number, kinds: number, subject: number): void {
    const bare = kinds & ~QUALIFIED;
    this.shapes.add(store, kinds);
    this.closures.touch(store, bare, subject);
    this.lists.remove(store, object, 0);
    this.lists.remove(store, object, bare >>> 16);
    this.lists.remove(store, object, bare);
    this.lists.remove(store, subject, ASCENT_TAG | swapKinds(bare) | 0);
  }

  #scan(
    range: EdgeKeys,
    store: number,
    node: number,
    kinds: number,
    after: number,
    visit: (n: number) => boolean,
  ): void {
    const wanted = kinds >>> 0;
    aimKey(this.#key, store, node, kinds, after, 16);
    const keys = range.iterate();
    for (let step = keys.next(); !step.done; step = keys.next()) {
      if (scanned.kinds !== wanted || scanned.node !== node || scanned.store !== store) break;
      if (!visit(scanned.other)) break;
    }
    keys.return?.();
  }

  #load(store: number, node: number, tag: number, kinds: number, size: KeySize, max: number): number {
    return this.#keep(store, node, tag, this.#reader.readForward(store, node, kinds, size, max));
  }

  #loadAscent(store: number, subject: number, subjectKind: number, objectKind: number, tag: number): number {
    let words = 1;
    for (const kind of [subjectKind, subjectKind | QUALIFIED]) {
      if (words === TOO_LONG || !this.shapes.has(store, (objectKind << 16) | kind)) continue;
      words = this.#reader.readReverse(store, subject, (kind << 16) | objectKind, words);
    }
    return this.#keep(store, subject, tag, words);
  }

  #keep(store: number, node: number, tag: number, words: number): number {
    const { list } = this.#reader;
    // A list that a small cache has no room for is one that is probed in the store.
    list[0] = words === TOO_LONG || words - 1 > this.lists.wordsMax ? TOO_LONG : words - 1;
    return this.lists.add(store, node, tag, list, 0);
  }
}
