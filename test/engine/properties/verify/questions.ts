import type { Model } from '../../../../engine/model/model.ts';
import { knownObjects } from '../../oracle/edges.ts';
import type { Oracle } from '../../oracle/oracle.ts';

export interface Target {
  readonly object: string;
  readonly relation: string;
}

/** Every object that the world knows, one of each type that it does not, and each of their relations. */
export function targets(oracle: Oracle): Target[] {
  return [...oracle.world.model.types.values()].flatMap((type) =>
    [...knownObjects(oracle.world, type.name), `${type.name}:unknown`].flatMap((object) =>
      [...type.relations.keys()].map((relation) => ({ object, relation })),
    ),
  );
}

export function relationsOf(model: Model): { readonly type: string; readonly relation: string }[] {
  return [...model.types.values()].flatMap((type) =>
    [...type.relations.keys()].map((relation) => ({ type: type.name, relation })),
  );
}

/** Some of the items, evenly spread, so that each scenario is asked a bounded number of questions. */
export function spread<T>(items: readonly T[], max: number): T[] {
  const step = Math.max(1, items.length / max);
  return Array.from({ length: Math.min(max, items.length) }, (_, i) => items[Math.floor(i * step)]).filter(
    (item) => item !== undefined,
  );
}
