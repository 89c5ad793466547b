import { createHash } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import { SecondChanceCache } from '../../memory/second-chance-cache.ts';
import { modelFromJson } from '../../model/index.ts';
import type { Model, ModelSource } from '../../model/model.ts';
import type { Kinds } from '../../store/catalog.ts';
import type { Tables } from '../../store/environment.ts';
import { recordKey } from '../../store/layout.ts';
import { recordOf } from '../../store/records/stored-record.ts';
import { MODELS } from '../../store/write/apply.ts';
import { compilePlan } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { PlanParts } from '../plan/plan-parts.ts';
import type { View, Views } from './views.ts';

/** A model version as it was written. */
export interface StoredModel {
  readonly id: string;
  readonly source: ModelSource;
  readonly model: Model;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

interface ModelDocument {
  readonly source: ModelSource;
  readonly json: unknown;
  readonly createdAt: number;
}

/** Of plans that no view has, and of those that many views share. */
const BYTES_MAX = 4 * 2 ** 20;
/** A plan takes about so many bytes for each of the model's text. */
const BYTES_PER_CHARACTER = 2;
const PLAN_BYTES = 3_000;
const EXTENTS_BYTES_MAX = 2 ** 20;
const EXTENT_BYTES = 150;
/** Of the copy that has a version's own id. */
const SHARED_BYTES = 200;
/** In the bytes of a model's record, behind all that makes the model. */
const BEHIND_MODEL = ',"createdAt":';

interface Known {
  readonly plan: Plan;
  readonly bytes: number;
}

/**
 * Plans of models in one thread. Stores whose models and kinds are the same share one, whatever its ids are: many
 * organizations have the model of one product, or none of their own.
 */
export class Plans {
  readonly #tables: Tables;
  readonly #views: Views;
  /** By model version. */
  readonly #plans = new SecondChanceCache<string, Plan>(BYTES_MAX);
  /** By what the model says, and by kinds. */
  readonly #alike = new SecondChanceCache<string, Known>(BYTES_MAX);
  readonly #parts = new PlanParts();
  /** By what a model says: the last of the kinds that it uses. A store may have more, of its other models. */
  readonly #extents = new SecondChanceCache<string, number>(EXTENTS_BYTES_MAX);

  constructor(tables: Tables, views: Views) {
    this.#tables = tables;
    this.#views = views;
  }

  /** The plan of a model version, the latest where none is named. @throws EngineError `unknown_model` */
  of(view: View, modelId: string | undefined): Plan {
    if (modelId === undefined && view.latest !== undefined) return view.latest;
    const id = modelId ?? view.head.models.at(-1);
    if (id === undefined) throw new EngineError('unknown_model', `the store ${view.head.name} has no model yet`);
    if (id !== view.head.models.at(-1)) return this.#version(view, id);
    if (view.latest === undefined) {
      const { plan, bytes } = this.#load(view, id);
      view.latest = plan;
      this.#views.weigh(view, bytes);
    }
    return view.latest;
  }

  model(view: View, modelId: string | undefined): StoredModel {
    const id = modelId ?? view.head.models.at(-1);
    const bytes = id === undefined ? undefined : this.#bytesOf(view, id);
    if (id === undefined || bytes === undefined) throw unknownModel(view);
    const { source, json, createdAt } = this.#documentOf(view, id, bytes);
    return { id, source, model: modelFromJson(json), createdAt };
  }

  #version(view: View, id: string): Plan {
    if (view.other?.modelId === id) return view.other;
    const key = `${view.number}/${id}`;
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const { plan, bytes } = this.#load(view, id);
    if (view.other === undefined) {
      view.other = plan;
      this.#views.weigh(view, bytes);
    } else this.#plans.set(key, plan, bytes);
    return plan;
  }

  #load(view: View, id: string): Known {
    // they may be read, and between the model's bytes and their end nothing else is
    const { kinds } = view;
    const bytes = this.#bytesOf(view, id);
    if (bytes === undefined) throw unknownModel(view);
    const digest = digestOf(bytes);
    const extent = this.#extents.get(digest);
    const alike = extent === undefined ? undefined : this.#alike.get(keyOf(digest, kinds, extent));
    if (alike !== undefined) return { plan: { ...alike.plan, modelId: id }, bytes: SHARED_BYTES };
    const plan = compilePlan(id, modelFromJson(this.#documentOf(view, id, bytes).json), kinds, this.#parts);
    const known = { plan, bytes: PLAN_BYTES + bytes.length * BYTES_PER_CHARACTER };
    const reached = lastKind(plan);
    this.#extents.set(digest, reached, EXTENT_BYTES);
    this.#alike.set(keyOf(digest, view.kinds, reached), known, known.bytes);
    return known;
  }

  /** Valid until the next read. A copy for each of many stores would be garbage outside the heap, which is seldom looked at. */
  #bytesOf(view: View, id: string): Buffer | undefined {
    const bytes = this.#tables.records.getBinaryFast(recordKey(view.number, MODELS, id));
    // lmdb's own buffer is longer than the value
    return bytes?.subarray(0, bytes.length);
  }

  #documentOf(view: View, id: string, bytes: Buffer): ModelDocument {
    return recordOf(bytes, recordKey(view.number, MODELS, id)).document as ModelDocument;
  }
}

function keyOf(digest: string, kinds: Kinds, extent: number): string {
  const hash = createHash('sha256').update(digest);
  for (let kind = 1; kind <= extent; kind++) hash.update(`\n${kinds.type(kind)}#${kinds.relation(kind)}`);
  return hash.digest('base64');
}

function lastKind({ types }: Plan): number {
  let last = 0;
  for (const { objectKind, wildcardKind, relations } of types.values()) {
    last = Math.max(last, objectKind, wildcardKind);
    for (const { kind } of relations.values()) last = Math.max(last, kind);
  }
  return last;
}

/** Of all but when it was written. One that is not in such bytes, of an earlier version, is like no other. */
function digestOf(bytes: Buffer): string {
  const end = bytes.lastIndexOf(BEHIND_MODEL);
  return createHash('sha256')
    .update(end < 0 ? bytes : bytes.subarray(0, end))
    .digest('base64');
}

function unknownModel({ head }: View): EngineError {
  return new EngineError('unknown_model', `the store ${head.name} has no such model`, { path: 'modelId' });
}
