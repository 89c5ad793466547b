import type { Change, Command, CommitResult } from './command/command.ts';
import type { ListingDefinition } from './command/listing-definition.ts';
import { packCommand } from './command/pack-command.ts';
import { timeOrderedId } from './command/time-ordered-id.ts';
import type { CommandParts, EngineCore } from './engine-core.ts';
import { EngineError } from './errors.ts';
import { LookAhead } from './evaluate/ahead/look-ahead.ts';
import { NameLoader } from './evaluate/kept/name-loader.ts';
import { DEFAULT_LIMITS, type Limits } from './evaluate/limits.ts';
import { Reader } from './evaluate/reader.ts';
import type { Fault } from './fault.ts';
import { LocalLog } from './log/local-log.ts';
import type { CommandLog } from './log/log.ts';
import { Store } from './open-store.ts';
import { type ChangeCursor, type Followed, Follower } from './read/follow/follower.ts';
import { type FollowedRecords, followRecords } from './read/follow/record-touches.ts';
import { followStores } from './read/follow/store-touches.ts';
import { commitNotes, readCommit } from './store/change-log.ts';
import { buildProgress, type CountingDefinition } from './store/counting/countings.ts';
import { openTables } from './store/environment.ts';
import type { LogIdentity } from './store/folder/log-identity.ts';
import { type ListingProgress, listingOf, readListings } from './store/listing/listings.ts';
import { DUPLICATE_IDS_ADVICE, signOfTwoWriters } from './store/lock/duplicate-ids.ts';
import { allocateShared, type OpenedWriter, openWriter, type SharedMemory } from './store/open-writer.ts';
import type { LogRetention } from './store/write/log/commit-log.ts';
import { sweep, trimLog } from './sweep.ts';

export interface EngineOptions {
  /** The folder of the data; made where it is absent. */
  readonly path: string;
  readonly limits?: Partial<Limits>;
  /** Bytes of this thread's adjacency cache. */
  readonly cacheBytes?: number;
  /** Bytes of the name table that all threads share, at most. */
  readonly nameBytes?: number;
  readonly retention?: Partial<LogRetention>;
  /** A secret that makes the links of chains: what is on a chain cannot be changed by who does not have it. */
  readonly chainKey?: Uint8Array;
  /** Which ids of records are counted from now on: see `defineCountings`. */
  readonly countings?: readonly CountingDefinition[];
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly newId?: () => string;
  /**
   * Given in a thread that reads while another one writes: memory from the thread that began, and the way to the
   * writer. Without it the engine writes in its own thread.
   */
  readonly joined?: { readonly shared: SharedMemory; readonly log: CommandLog };
  /** Called in the writer's thread for every writer error that the engine did not throw itself. */
  readonly onFault?: (fault: Fault) => void;
  /** Only to show in a test what happens without it. */
  readonly unsafeNoSync?: boolean;
}

export const DEFAULT_CACHE_BYTES = 128 * 2 ** 20;
export const DEFAULT_RETENTION: LogRetention = {
  commitsMax: 1_000_000,
  bytesMax: 64 * 2 ** 20,
  storeBytesMax: 16 * 2 ** 20,
};

/** A folder of stores: the front door of the library. Reads are synchronous, writes resolve when they are on disk. */
export class Engine {
  /** Revisions of two engines can be compared only if this is the same. */
  readonly logIdentity: LogIdentity;
  readonly #reader: Reader;
  readonly #log: CommandLog;
  readonly #opened: OpenedWriter | undefined;
  readonly #clock: () => number;
  readonly #newId: () => string;
  readonly #core: EngineCore;

  private constructor(reader: Reader, log: CommandLog, opened: OpenedWriter | undefined, options: EngineOptions) {
    this.logIdentity = reader.logIdentity;
    this.#reader = reader;
    this.#log = log;
    this.#opened = opened;
    this.#clock = options.clock ?? Date.now;
    this.#newId = options.newId ?? (() => timeOrderedId(this.#clock()));
    this.#core = {
      reader,
      clock: this.#clock,
      followed: {
        log: Buffer.from(this.logIdentity.id).toString('hex'),
        revision: () => reader.snapshot.revision,
        read: (task) => reader.read(task),
      },
      newId: this.#newId,
      submit: (changes, more) => this.submit(this.#command(changes, more)),
    };
  }

  /** For who is going to ask several questions, each of another store. */
  lookAhead(): LookAhead {
    const { names, graph } = this.#reader;
    return new LookAhead(names, graph.lists);
  }

  static open(options: EngineOptions): Promise<Engine> {
    const shared = options.joined?.shared ?? allocateShared(options.nameBytes);
    const opened = options.joined
      ? undefined
      : openWriter(
          {
            path: options.path,
            shared,
            retention: { ...DEFAULT_RETENTION, ...options.retention },
            chainKey: options.chainKey,
            countings: options.countings,
            unsafeNoSync: options.unsafeNoSync ?? false,
          },
          options.onFault,
        );
    const log = options.joined?.log ?? new LocalLog((opened as OpenedWriter).writer); // one of the two is there
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const tables = openTables({ path: options.path });
    const reader = new Reader(tables, shared, limits, options.cacheBytes ?? DEFAULT_CACHE_BYTES);
    return Promise.resolve(new Engine(reader, log, opened, options));
  }

  /** The revision that a read beginning now would see. */
  revision(): number {
    return this.#reader.snapshot.current();
  }

  /** Time of the newest kept commit, by the clock of its writer. */
  lastCommitTime(): number | undefined {
    return this.#reader.read(() => {
      const { tables, snapshot } = this.#reader;
      const bytes = readCommit(tables, snapshot.revision);
      return bytes === undefined ? undefined : commitNotes(bytes).time;
    });
  }

  /**
   * Runs a synchronous task wholly inside one snapshot: all that it asks of any store is answered at one revision. It
   * may run more than once, so that it must have no effects.
   */
  read<T>(task: () => T): T {
    return this.#reader.read(task);
  }

  /** Where a follower stands that has followed every commit up to a revision of this log; the latest where none is named. */
  cursor(revision?: number): ChangeCursor {
    return { log: this.#core.followed.log, revision: revision ?? this.revision() };
  }

  /** Follows the records of some collections in every store; see `followRecords`. */
  followRecords(collections: readonly string[], cursor?: ChangeCursor): Follower<FollowedRecords> {
    return new Follower(this.#core.followed, (after) => followRecords(this.#reader, collections, after), cursor);
  }

  /** Follows which stores commits touched, but for commits that wrote records of `ignored` collections alone. */
  followStores(ignored: readonly string[] = [], cursor?: ChangeCursor): Follower<Followed<string>> {
    const isIgnored = new Set(ignored);
    return new Follower(this.#core.followed, (after) => followStores(this.#reader, after, isIgnored), cursor);
  }

  /** In their order. */
  storeNames(): string[] {
    return this.#reader.read(() => this.#reader.storeNames());
  }

  hasStore(name: string): boolean {
    return this.#reader.read(() => this.#reader.hasStore(name));
  }

  async createStore(name: string): Promise<Store> {
    await this.submit(this.#command([{ op: 'create_store', store: name }]));
    return this.store(name);
  }

  /** The store of this name; made where there is none. */
  async openStore(name: string): Promise<Store> {
    if (!this.hasStore(name)) {
      await this.createStore(name).catch((error: unknown) => {
        // somebody else was faster
        if (!(error instanceof EngineError) || error.code !== 'store_exists') throw error;
      });
    }
    return this.store(name);
  }

  /** The store is gone for every read from now on; its data is removed in steps by `sweep`. */
  async deleteStore(name: string): Promise<void> {
    await this.submit(this.#command([{ op: 'delete_store', store: name }]));
  }

  /** Throws `unknown_store`. */
  store(name: string): Store {
    this.#reader.read(() => this.#reader.view(name));
    return new Store(name, this.#core);
  }

  /**
   * Removes, in one commit of about `limit` entries, tuples that have expired and what deleted stores left behind.
   * Answers whether there may be more to do; nothing is written where there is nothing.
   */
  sweep(limit: number): Promise<boolean> {
    return sweep(this.#core, limit);
  }

  /**
   * Removes up to `limit` commits from the change log that were made before a time, in milliseconds since the epoch.
   * Answers whether there may be more to do.
   */
  trimLog(before: number, limit: number): Promise<boolean> {
    return trimLog(this.#core, before, limit);
  }

  /**
   * Lists a collection by this definition from now on, in every store, in place of another one of the collection.
   * Nothing is written where it is defined. Records that stand in their stores are listed by `buildListings`.
   */
  async defineListing(definition: ListingDefinition): Promise<void> {
    const isDefined = this.#reader.read(() => listingOf(readListings(this.#reader.tables), definition) !== undefined);
    if (!isDefined) await this.submit(this.#command([{ op: 'define_listing', definition }]));
  }

  /** One bounded step of listing what stood in the stores before. Answers whether there may be more to do. */
  async buildListings(limit: number): Promise<boolean> {
    if (this.listingProgress() === undefined) return false;
    await this.submit(this.#command([{ op: 'build_listings', limit }]));
    return this.listingProgress() !== undefined;
  }

  /** What is being built; `undefined` where all listings are whole. */
  listingProgress(): ListingProgress | undefined {
    this.#reader.snapshot.renew();
    return this.#reader.read(() => buildProgress(this.#reader.tables));
  }

  /**
   * Loads names of large stores into the memory that all threads share, in steps of up to `limit`, until there are `most`
   * of them, so that the first question does not wait for them. Each step answers whether there may be more to do.
   */
  nameLoader(most: number): (limit: number) => boolean {
    const { tables, names } = this.#reader;
    const loader = new NameLoader(tables, names, most);
    return (limit) => this.#reader.read(() => loader.step(limit));
  }

  /** For commands over several stores or with records; `Store` has the rest. */
  async submit(command: Command): Promise<CommitResult> {
    return this.#log.submit(packCommand(command));
  }

  /**
   * Resolves once reads of this thread see all that stood in the log's order before: what it submitted, what was answered
   * to anybody, and what else was in the log by then. Rejects with `unavailable` where that cannot be known.
   */
  barrier(): Promise<void> {
    return this.#log.barrier();
  }

  /** Fills in what every command carries. */
  command(changes: readonly Change[], more: CommandParts = {}): Command {
    return this.#command(changes, more);
  }

  /**
   * Throws `corrupt`, with what to do, if ids or revisions were given out twice, as by two writers at once. It only
   * compares row counts, so its cost does not grow with the data.
   */
  requireOneHistory(): void {
    const sign = this.#reader.read(() => signOfTwoWriters(this.#reader.tables));
    if (sign !== undefined) throw new EngineError('corrupt', `the data is damaged (${sign}): ${DUPLICATE_IDS_ADVICE}`);
  }

  /** Commands on their way to the disk. */
  get pending(): number {
    return this.#log.pending;
  }

  /** False after a commit that could not be stored (a full disk), until one is stored again. */
  get canWrite(): boolean {
    return this.#reader.snapshot.canWrite;
  }

  cacheCounts(): { readonly hits: number; readonly misses: number } {
    const { hits, misses } = this.#reader.graph;
    return { hits, misses };
  }

  /** Writes a copy at one revision into a folder, which `Engine.open` can open. Writes go on meanwhile. */
  async backup(folder: string): Promise<void> {
    if (this.#opened === undefined) throw new EngineError('unavailable', 'only the writer makes backups');
    await this.#opened.backup(folder);
  }

  async close(): Promise<void> {
    await this.#log.close();
    await this.#reader.close();
    await this.#opened?.close();
  }

  #command(changes: readonly Change[], { preconditions }: CommandParts = {}): Command {
    return { id: this.#newId(), time: this.#clock(), preconditions, changes };
  }
}
