import { type Change, parseObject, parseSubject, type Tuple } from '#engine';
import type { Actors } from '../actors/index.ts';
import { isLimited, permissionObject, type Reach } from '../rights/index.ts';

/** Something of a command that can take rights away. */
export interface Taking {
  /** The only subject whose rights it is about; undefined if it can be about several. */
  readonly from: string | undefined;
  /** Whether full administration can be among them. */
  readonly isOfAdministrators: boolean;
}

/** All that some changes can take away, by the model that they leave. */
export function takingsOf(changes: readonly Change[], reach: Reach, actors: Actors): readonly Taking[] {
  return changes.flatMap((change) => {
    const whole = wholeTaking(change, reach, actors);
    return whole === undefined ? takenTuples(change, reach).map((tuple) => tupleTaking(tuple, reach, actors)) : [whole];
  });
}

/** What is no change of tuples: it can take every right of somebody, or what gives rights to many. */
function wholeTaking(change: Change, reach: Reach, actors: Actors): Taking | undefined {
  switch (change.op) {
    case 'write_model':
      return { from: undefined, isOfAdministrators: !reach.isPlain };
    case 'delete_object':
      return takingOf(change.object, reach, actors);
    case 'suspend_subject':
      return takingOf(change.subject, reach, actors);
    case 'restore_subject':
      // where a model has exclusions, somebody's return can take rights of others away
      return reach.isPlain ? undefined : takingOf(change.subject, reach, actors);
    default:
      return undefined;
  }
}

/** Under a plain model nobody has a right through somebody who acts: only through roles and groups. */
function takingOf(object: string, { isPlain, types }: Reach, actors: Actors): Taking | undefined {
  const { type } = parseObject(object);
  const isActor = actors.isType(type);
  if (!isActor && !types.has(type)) return undefined;
  return { from: isPlain && isActor ? object : undefined, isOfAdministrators: true };
}

/** The tuples of a change that can take rights away. Under a plain model no new tuple can that stands for good. */
function takenTuples(change: Change, { isPlain, relations }: Reach): readonly Tuple[] {
  if (change.op !== 'write_tuples' && change.op !== 'delete_tuples') return [];
  const { op, tuples } = change;
  const all = isPlain && op === 'write_tuples' ? tuples.filter(isLimited) : tuples;
  return all.filter((tuple) => relations.has(relationOf(tuple)));
}

function tupleTaking(tuple: Tuple, { isPlain, tuplesets }: Reach, actors: Actors): Taking {
  const { type, relation } = parseSubject(tuple.subject);
  const isOne = relation === '' && actors.isType(type) && !tuplesets.has(relationOf(tuple));
  const isOther = isPlain && relationOf(tuple) === 'permission#granted' && tuple.object !== fullAdministration;
  return { from: isOne ? tuple.subject : undefined, isOfAdministrators: !isOther };
}

/** `role#assignee` of a tuple of `role:editor`. */
function relationOf({ object, relation }: Tuple): string {
  return `${object.slice(0, object.indexOf(':'))}#${relation}`;
}

const fullAdministration = permissionObject('settings.manage');
