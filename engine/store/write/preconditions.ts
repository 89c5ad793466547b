import type { PackedCommand, Precondition } from '../../command/command.ts';
import { EngineError } from '../../errors.ts';
import type { Tuple } from '../../tuple.ts';
import { idsByIndex, idsOf, readUnique, readVersion } from '../records/read-records.ts';
import { resolveTuple } from './tuple-writer.ts';
import type { WriteContext } from './write-context.ts';

/** Fails with `precondition_failed`, naming the index of the first that does not hold. Writes nothing. */
export function requirePreconditions(context: WriteContext, command: PackedCommand): void {
  command.preconditions?.forEach((precondition, index) => {
    if (holds(context, precondition, command.time)) return;
    throw new EngineError('precondition_failed', refusalOf(precondition), {
      path: `preconditions/${index}`,
      require: precondition.require,
      store: precondition.store,
      object: objectOf(precondition),
    });
  });
}

/** What stands in the way. */
function refusalOf(precondition: Precondition): string {
  switch (precondition.require) {
    case 'tuple_exists':
      return `the tuple ${nameOf(precondition.tuple)} is not there`;
    case 'tuple_absent':
      return `the tuple ${nameOf(precondition.tuple)} is there`;
    case 'records_at_most':
      return 'what was to be made is there already, or there are as many as there may be';
    case 'latest_model':
      return 'another model was written meanwhile';
    default:
      return 'what this was to change was changed meanwhile';
  }
}

function nameOf({ object, relation, subject }: Tuple): string {
  return `${object}#${relation}@${subject}`;
}

/** What it is about: commands that lose a race for the same object take turns. */
function objectOf(precondition: Precondition): string {
  switch (precondition.require) {
    case 'tuple_exists':
    case 'tuple_absent':
      return precondition.tuple.object;
    case 'record_absent':
    case 'record_version':
      return `${precondition.collection}/${precondition.id}`;
    case 'records_at_most':
      return addressOf(precondition);
    case 'latest_model':
      return 'model';
  }
}

function holds(context: WriteContext, precondition: Precondition, time: number): boolean {
  const state = context.states.get(precondition.store);
  switch (precondition.require) {
    case 'tuple_exists':
      return context.tuples.exists(state, resolveTuple(state, precondition.tuple), time);
    case 'tuple_absent':
      return !context.tuples.exists(state, resolveTuple(state, precondition.tuple), time);
    case 'record_absent':
      return versionIn(context, state.number, precondition) === undefined;
    case 'record_version':
      return versionIn(context, state.number, precondition) === precondition.version;
    case 'records_at_most':
      return isAtMost(context, state.number, precondition);
    case 'latest_model':
      return (state.head.models.at(-1) ?? null) === precondition.modelId;
  }
}

type AtMost = Extract<Precondition, { require: 'records_at_most' }>;

function addressOf({ collection, key }: AtMost): string {
  return key === undefined ? collection : `${collection}/${key.index}/${key.text}`;
}

/** Reads only as many keys as tell that there are too many. */
function isAtMost({ tables }: WriteContext, store: number, { collection, key, except, max }: AtMost): boolean {
  const limit = max + 2; // one more, and the one that does not count
  const isCounted = (id: string): boolean => id !== except;
  if (key === undefined) return [...idsOf(tables, store, collection, limit)].filter(isCounted).length <= max;
  const holder = readUnique(tables, store, collection, key.index, key.text);
  const found = [...idsByIndex(tables, store, collection, key.index, key.text, { limit })].map(({ id }) => id);
  return [...new Set(holder === undefined ? found : [...found, holder])].filter(isCounted).length <= max;
}

function versionIn({ tables }: WriteContext, store: number, record: { collection: string; id: string }) {
  return readVersion(tables, store, record.collection, record.id);
}
