import type { PackedCommand, Precondition } from '../../command/command.ts';
import { EngineError } from '../../errors.ts';
import { readVersion } from '../records/read-records.ts';
import { resolveTuple } from './tuple-writer.ts';
import type { WriteContext } from './write-context.ts';

/** Fails with `precondition_failed`, naming the index of the first that does not hold. Writes nothing. */
export function requirePreconditions(context: WriteContext, command: PackedCommand): void {
  command.preconditions?.forEach((precondition, index) => {
    if (holds(context, precondition, command.time)) return;
    throw new EngineError('precondition_failed', `precondition ${index} (${precondition.require}) does not hold`, {
      path: `preconditions/${index}`,
      require: precondition.require,
      store: precondition.store,
      object: objectOf(precondition),
    });
  });
}

/** What it is about, for who comes after it again. */
function objectOf(precondition: Precondition): string {
  switch (precondition.require) {
    case 'tuple_exists':
    case 'tuple_absent':
      return precondition.tuple.object;
    case 'record_absent':
    case 'record_version':
      return `${precondition.collection}/${precondition.id}`;
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
    case 'latest_model':
      return (state.head.models.at(-1) ?? null) === precondition.modelId;
  }
}

function versionIn({ tables }: WriteContext, store: number, record: { collection: string; id: string }) {
  return readVersion(tables, store, record.collection, record.id);
}
