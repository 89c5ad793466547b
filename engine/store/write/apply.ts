import type { PackedChange } from '../../command/command.ts';
import { documentText } from '../../command/document-text.ts';
import { EngineError } from '../../errors.ts';
import { parseObject } from '../../tuple.ts';
import { QUALIFIED, scanned } from '../edge-key.ts';
import { define } from '../listing/listings.ts';
import { UniqueKeys } from '../records/unique-keys.ts';
import { buildStep } from './build-listings.ts';
import { preparePacked } from './bulk/write-packed.ts';
import type { StoreState } from './store-state.ts';
import { sweepExpired, sweepStore } from './sweep.ts';
import { resolveTuple } from './tuple-writer.ts';
import type { WriteContext } from './write-context.ts';

export const MODELS = '$models';

type ChangeOf<Op extends PackedChange['op']> = Extract<PackedChange, { op: Op }>;

/** Does this change build on writes of its own command, so that it cannot be prepared before the first of them? */
export function isIsolated(change: PackedChange): boolean {
  switch (change.op) {
    case 'create_store':
    case 'delete_store':
    case 'write_model':
    case 'sweep_store':
    case 'sweep_expired':
    case 'define_listing':
    case 'build_listings':
      return true;
    default:
      return false;
  }
}

/**
 * Resolves and checks a change without writing; the function that it returns does the writing. `unique` has seen the
 * changes of the command before this one.
 */
export function prepareChange(context: WriteContext, change: PackedChange, unique: UniqueKeys): () => void {
  switch (change.op) {
    case 'write_tuples':
      return prepareWrites(context, change);
    case 'write_packed':
      return preparePacked(context, requireModel(context, change), change.packed);
    case 'delete_tuples': {
      const state = context.states.get(change.store);
      const tuples = change.tuples.map((tuple) => resolveTuple(state, tuple));
      return () => {
        for (const tuple of tuples) context.tuples.delete(state, tuple);
      };
    }
    case 'delete_object': {
      const state = context.states.get(change.store);
      return () => deleteObject(context, state, change.object);
    }
    case 'suspend_subject':
    case 'restore_subject':
      return prepareSuspension(context, change);
    case 'put_record': {
      const { number } = context.states.get(change.store);
      unique.put(number, change.record);
      return () => context.records.put(number, change.record);
    }
    case 'delete_record': {
      const { number } = context.states.get(change.store);
      unique.delete(number, change.collection, change.id);
      return () => context.records.delete(number, change.collection, change.id);
    }
    case 'append_record': {
      const { number } = context.states.get(change.store);
      return () => context.records.append(number, change.collection, change.json);
    }
    case 'append_chained':
      return context.chains.prepareAppend(context.states.get(change.store), change.chain, change.entry, change.digest);
    case 'cut_chain':
      return context.chains.prepareCut(context.states.get(change.store), change.chain, change.through);
    case 'trim_log':
      return () => context.log.trim(change.before, change.limit);
    default:
      throw new EngineError('invalid_argument', `${change.op} cannot be prepared`);
  }
}

/** Applies a change at once; for commands that run in a transaction of their own. */
export function applyChange(context: WriteContext, change: PackedChange, time: number): void {
  switch (change.op) {
    case 'create_store': {
      const state = context.states.create(change.store, time);
      context.storeChanges.push({ store: state.number, op: 'created', name: change.store });
      return;
    }
    case 'delete_store': {
      const state = context.states.get(change.store);
      state.changeHead({ deletedAt: time });
      state.flush();
      context.states.forget(change.store);
      context.storeChanges.push({ store: state.number, op: 'deleted', name: change.store });
      return;
    }
    case 'write_model':
      return writeModel(context, change, time);
    case 'sweep_store':
      return sweepStore(context, change.storeNumber, change.limit);
    case 'sweep_expired':
      return sweepExpired(context, time, change.limit);
    case 'define_listing':
      if (define(context.tables, change.definition)) context.records.listings.redefined();
      return;
    case 'build_listings':
      return buildStep(context.tables, context.records.listings, change.limit);
    default:
      prepareChange(context, change, new UniqueKeys(context.tables))();
  }
}

function requireModel(context: WriteContext, change: { store: string; modelId?: string }): StoreState {
  const state = context.states.get(change.store);
  if (change.modelId !== undefined && state.head.models.at(-1) !== change.modelId) {
    throw new EngineError('model_changed', 'a newer model was written while these tuples were on their way', {
      modelId: change.modelId,
    });
  }
  return state;
}

function prepareWrites(context: WriteContext, change: ChangeOf<'write_tuples'>): () => void {
  const state = requireModel(context, change);
  const tuples = change.tuples.map((tuple) => resolveTuple(state, tuple));
  return () => {
    for (const tuple of tuples) context.tuples.write(state, tuple);
  };
}

function prepareSuspension(
  { states, suspensions }: WriteContext,
  { op, store, subject }: ChangeOf<'suspend_subject' | 'restore_subject'>,
): () => void {
  const state = states.get(store);
  parseObject(subject, 'subject');
  return () => {
    if (op === 'suspend_subject') suspensions.suspend(state.number, state.intern(subject));
    else suspensions.restore(state.number, state.find(subject));
  };
}

function deleteObject(context: WriteContext, state: StoreState, object: string): void {
  const node = state.find(object);
  if (node === 0) return;
  const edges: { object: number; kinds: number; subject: number }[] = [];
  const start = { store: state.number, node, kinds: 0, other: 0, size: 8 };
  for (const _ of context.tables.forward.getKeys({ start })) {
    if (scanned.node !== node || scanned.store !== state.number) break;
    edges.push({ object: node, kinds: scanned.kinds, subject: scanned.other });
  }
  for (const _ of context.tables.reverse.getKeys({ start })) {
    if (scanned.node !== node || scanned.store !== state.number) break;
    edges.push({ object: scanned.other, kinds: (scanned.kinds << 16) | (scanned.kinds >>> 16), subject: node });
  }
  for (const edge of edges) context.tuples.deleteEdge(state, edge.object, edge.kinds & ~QUALIFIED, edge.subject);
  context.suspensions.restore(state.number, node);
}

function writeModel(context: WriteContext, change: ChangeOf<'write_model'>, time: number): void {
  const state = context.states.get(change.store);
  const { id, source, json, kinds } = change.model;
  for (const [type, relation] of kinds) state.internKind(type, relation);
  context.records.put(state.number, {
    collection: MODELS,
    id,
    json: documentText({ source, json, createdAt: time }),
  });
  state.changeHead({ models: [...state.head.models, id] });
  context.storeChanges.push({ store: state.number, op: 'model', name: id });
}
