import { EngineError } from '../errors.ts';
import type { CheckRequest, Decision } from '../requests.ts';
import { readHead, type StoreHead } from '../store/catalog.ts';
import { BlockScan } from '../store/counting/block-rows.ts';
import type { Tables } from '../store/environment.ts';
import { type LogIdentity, readLogIdentity } from '../store/folder/log-identity.ts';
import { recordKey } from '../store/layout.ts';
import { Found } from '../store/listing/found/found.ts';
import { EntryRows } from '../store/listing/orders/entry-rows.ts';
import { Subsets } from '../store/listing/read/subsets.ts';
import { Tails } from '../store/listing/read/tail.ts';
import { NameTable } from '../store/name-table.ts';
import type { SharedMemory } from '../store/open-writer.ts';
import { RecordCache } from '../store/records/record-cache.ts';
import { KeyScan } from '../store/scan/key-scan.ts';
import { ReadTransaction } from '../store/scan/read-transaction.ts';
import { Snapshot } from '../store/snapshot.ts';
import { Checker } from './check/checker.ts';
import { Graph } from './graph/graph.ts';
import { NodeNames } from './kept/node-names.ts';
import { Plans, type StoredModel } from './kept/plans.ts';
import { StoreCatalog } from './kept/store-catalog.ts';
import { Viewer } from './kept/viewer.ts';
import { type View, Views } from './kept/views.ts';
import type { Limits } from './limits.ts';
import type { Plan } from './plan/plan.ts';
import { Resolver } from './question.ts';

export type { StoredModel } from './kept/plans.ts';
export type { View } from './kept/views.ts';

/** A thread with much memory for tuples answers for many stores. */
function viewBytes(cacheBytes: number): number {
  return Math.max(VIEW_BYTES_MIN, cacheBytes);
}

/** No store has this name. */
const NO_STORE = '';
const VIEW_BYTES_MIN = 4 * 2 ** 20;

/** Everything that one thread reads with. All but `snapshot.read` itself must be called inside it. */
export class Reader {
  readonly tables: Tables;
  readonly logIdentity: LogIdentity;
  readonly names: NameTable;
  readonly snapshot: Snapshot;
  readonly graph: Graph;
  readonly checker: Checker;
  readonly limits: Limits;
  readonly records: RecordCache;
  readonly subsets: Subsets;
  readonly tails: Tails;
  readonly found: Found;
  readonly nodeNames: NodeNames;
  readonly catalog: StoreCatalog;
  readonly recordKeys: KeyScan;
  readonly indexKeys: KeyScan;
  readonly entryRows: EntryRows;
  readonly blockScan: BlockScan;
  readonly views: Views;
  readonly #plans: Plans;
  #resolver: Resolver | undefined;
  #asked: CheckRequest | undefined;
  #askedOf: Viewer | undefined;
  /** Made once: a closure for every check would cost as much as a tenth of one. A check never runs inside another. */
  readonly #checkAsked = (): Decision => {
    // both are set by `check`, its only caller
    const view = Viewer.viewOf(this.#askedOf as Viewer);
    const request = this.#asked as CheckRequest;
    return this.checker.check(view, this.plan(view, request.modelId), request);
  };

  constructor(tables: Tables, shared: SharedMemory, limits: Limits, cacheBytes: number) {
    this.tables = tables;
    this.logIdentity = readLogIdentity(tables);
    this.names = new NameTable(shared.names);
    this.limits = limits;
    this.subsets = new Subsets(tables);
    this.tails = new Tails(tables);
    this.nodeNames = new NodeNames(tables);
    const transaction = new ReadTransaction();
    this.graph = new Graph(tables, cacheBytes, transaction);
    this.recordKeys = new KeyScan(tables.records, transaction);
    this.indexKeys = new KeyScan(tables.indexes, transaction);
    this.entryRows = new EntryRows(tables, transaction);
    this.blockScan = new BlockScan(tables, transaction);
    this.found = new Found(tables, this.graph.commits);
    this.checker = new Checker(this.graph, limits);
    this.catalog = new StoreCatalog(tables);
    this.views = new Views(tables, this.names, this.graph.suspended, viewBytes(cacheBytes), (store) =>
      this.graph.closures.drop(store),
    );
    this.#plans = new Plans(tables, this.views);
    this.snapshot = new Snapshot(tables, new Int32Array(shared.announced), transaction);
    this.records = new RecordCache(tables, {
      writtenAt: (store) => this.writtenAt(store),
      revision: () => this.snapshot.revision,
      hasAny: (store, collection) => this.recordKeys.has(recordKey(store, collection, '')),
    });
    this.snapshot.onRenewal((from, to) => {
      const changes = this.graph.follow(from, to);
      if (changes === undefined) {
        this.catalog.forget();
        this.views.clear();
        return;
      }
      this.catalog.follow(changes);
      this.views.follow(changes);
    });
  }

  read<T>(task: () => T): T {
    return this.snapshot.read(task);
  }

  /** A read of its own. What it is asked is kept until the next one, but not of each store. */
  check(of: Viewer, request: CheckRequest): Decision {
    this.#askedOf = of;
    this.#asked = request;
    return this.snapshot.read(this.#checkAsked);
  }

  async close(): Promise<void> {
    this.snapshot.release();
    await this.tables.root.close();
  }

  /** In their order. */
  storeNames(): string[] {
    // a read brings the catalog up to the snapshot
    readHead(this.tables, NO_STORE);
    return [...this.catalog.names.values()].sort();
  }

  hasStore(name: string): boolean {
    const head = readHead(this.tables, name);
    return head !== undefined && head.deletedAt === undefined;
  }

  view(store: string): View {
    return this.views.of(store);
  }

  /** A revision after which nothing in the store was written, its records included, up to the snapshot's. */
  writtenAt(store: number): number {
    return Math.min(this.graph.touched.all.at(store), this.snapshot.revision);
  }

  /** The head as it stands now; a view's own may lag behind in counts. */
  freshHead(store: string): StoreHead {
    const head = readHead(this.tables, store);
    if (head === undefined) throw new EngineError('unknown_store', `there is no store ${store}`, { store });
    return head;
  }

  /** The plan of a model version, the latest where none is named. */
  plan(view: View, modelId: string | undefined): Plan {
    return this.#plans.of(view, modelId);
  }

  /** For counts and their pages; valid until the next call, which uses what it knows of types. */
  resolver(view: View, plan: Plan): Resolver {
    if (this.#resolver === undefined) this.#resolver = new Resolver(view, plan);
    else this.#resolver.begin(view, plan);
    return this.#resolver;
  }

  model(view: View, modelId: string | undefined): StoredModel {
    return this.#plans.model(view, modelId);
  }
}
