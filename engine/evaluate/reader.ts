import { BoundedMap } from '../bounded-map.ts';
import { EngineError } from '../errors.ts';
import { modelFromJson } from '../model/index.ts';
import type { Model, ModelSource } from '../model/model.ts';
import { allHeads, Kinds, loadKinds, readHead, type StoreHead } from '../store/catalog.ts';
import type { Tables } from '../store/environment.ts';
import { NameTable } from '../store/name-table.ts';
import type { SharedMemory } from '../store/open-writer.ts';
import { readRecord } from '../store/records/read-records.ts';
import { RecordCache } from '../store/records/record-cache.ts';
import { Snapshot } from '../store/snapshot.ts';
import { MODELS } from '../store/write/apply.ts';
import { Checker } from './check/checker.ts';
import { Graph } from './graph/graph.ts';
import type { Limits } from './limits.ts';
import { compilePlan } from './plan/compile.ts';
import type { Plan } from './plan/plan.ts';
import type { StoreView } from './question.ts';

const PLANS_MAX = 128;
const VIEWS_MAX = 1024;

/** A model version as it was written. */
export interface StoredModel {
  readonly id: string;
  readonly source: ModelSource;
  readonly model: Model;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface View extends StoreView {
  readonly head: StoreHead;
  readonly kinds: Kinds;
  /** The plan of the latest model, once it was asked for. A view is dropped when a model is written. */
  latest: Plan | undefined;
}

/** All that one thread has to read with. Everything but `snapshot.read` itself must be called inside it. */
export class Reader {
  readonly tables: Tables;
  readonly names: NameTable;
  readonly snapshot: Snapshot;
  readonly graph: Graph;
  readonly checker: Checker;
  readonly limits: Limits;
  readonly records: RecordCache;
  readonly #views = new Map<string, View>();
  readonly #plans = new BoundedMap<string, Plan>(PLANS_MAX);

  constructor(tables: Tables, shared: SharedMemory, limits: Limits, cacheBytes: number) {
    this.tables = tables;
    this.names = new NameTable(shared.names);
    this.limits = limits;
    this.records = new RecordCache(tables);
    this.graph = new Graph(tables, cacheBytes);
    this.checker = new Checker(this.graph, limits);
    this.snapshot = new Snapshot(tables, new Int32Array(shared.announced));
    this.snapshot.onRenewal((from, to) => {
      this.records.moved();
      if (this.graph.follow(from, to)) this.#views.clear();
    });
  }

  read<T>(task: () => T): T {
    return this.snapshot.read(task);
  }

  async close(): Promise<void> {
    this.snapshot.release();
    await this.tables.root.close();
  }

  storeNames(): string[] {
    return allHeads(this.tables)
      .filter((head) => head.deletedAt === undefined)
      .map((head) => head.name);
  }

  view(store: string): View {
    const known = this.#views.get(store);
    if (known !== undefined) return known;
    const head = readHead(this.tables, store);
    if (head === undefined || head.deletedAt !== undefined) {
      throw new EngineError('unknown_store', `there is no store ${store.slice(0, 128)}`, {
        store: store.slice(0, 128),
      });
    }
    const kinds = new Kinds();
    loadKinds(this.tables, head.number, kinds, head.nextKind);
    const { suspended } = this.graph;
    if (suspended.size >= VIEWS_MAX) {
      // both, because a view holds what no longer follows the log then
      this.#views.clear();
      suspended.clear();
    }
    const view: View = {
      tables: this.tables,
      names: this.names,
      number: head.number,
      suspended: suspended.of(head.number),
      head,
      kinds,
      latest: undefined,
    };
    this.#views.set(store, view);
    return view;
  }

  /** The head as it stands now; a view's own may lag behind in counts. */
  freshHead(store: string): StoreHead {
    const head = readHead(this.tables, store);
    if (head === undefined) throw new EngineError('unknown_store', `there is no store ${store}`, { store });
    return head;
  }

  /** The plan of a model version, the latest where none is named. */
  plan(view: View, modelId: string | undefined): Plan {
    if (modelId === undefined && view.latest !== undefined) return view.latest;
    const id = modelId ?? view.head.models.at(-1);
    if (id === undefined) throw new EngineError('unknown_model', `the store ${view.head.name} has no model yet`);
    const plan = this.#planOf(view, id);
    if (modelId === undefined) view.latest = plan;
    return plan;
  }

  #planOf(view: View, id: string): Plan {
    const key = `${view.number}/${id}`;
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = compilePlan(id, this.model(view, id).model, view.kinds);
    this.#plans.set(key, plan);
    return plan;
  }

  model(view: View, modelId: string | undefined): StoredModel {
    const id = modelId ?? view.head.models.at(-1);
    const record = id === undefined ? undefined : readRecord(this.tables, view.number, MODELS, id);
    if (id === undefined || record === undefined) {
      throw new EngineError('unknown_model', `the store ${view.head.name} has no such model`, { path: 'modelId' });
    }
    const { source, json, createdAt } = record.document as { source: ModelSource; json: unknown; createdAt: number };
    return { id, source, model: modelFromJson(json), createdAt };
  }
}
