import { type Change, parseObject, parseSubject, type Tuple } from '#engine';
import type { Actors } from '../actors/index.ts';
import { isLimited, permissionObject, type Reach } from '../rights/index.ts';

/** A part of a command that can revoke rights. */
export interface Revocation {
  /** The only subject whose rights it can revoke; undefined if there can be several. */
  readonly from: string | undefined;
  /** Whether full administration can be among those rights. */
  readonly isOfAdministrators: boolean;
}

/** All revocations in some changes, by the model that they leave. */
export function revocationsOf(changes: readonly Change[], reach: Reach, actors: Actors): readonly Revocation[] {
  return changes.flatMap((change) => {
    const whole = wholeRevocation(change, reach, actors);
    return whole === undefined
      ? revokingTuples(change, reach).map((tuple) => tupleRevocation(tuple, reach, actors))
      : [whole];
  });
}

/** For a change that is not of tuples: it can revoke every right of one subject, or of many. */
function wholeRevocation(change: Change, reach: Reach, actors: Actors): Revocation | undefined {
  switch (change.op) {
    case 'write_model':
      return { from: undefined, isOfAdministrators: !reach.isPlain };
    case 'delete_object':
      return revocationOf(change.object, reach, actors);
    case 'suspend_subject':
      return revocationOf(change.subject, reach, actors);
    case 'restore_subject':
      // where a model has exclusions, a restored subject can revoke rights of others
      return reach.isPlain ? undefined : revocationOf(change.subject, reach, actors);
    default:
      return undefined;
  }
}

/** Under a plain model nobody has a right through somebody who acts: only through roles and groups. */
function revocationOf(object: string, { isPlain, types }: Reach, actors: Actors): Revocation | undefined {
  const { type } = parseObject(object);
  const isActor = actors.isType(type);
  if (!isActor && !types.has(type)) return undefined;
  return { from: isPlain && isActor ? object : undefined, isOfAdministrators: true };
}

/** The tuples of a change that can revoke rights. Under a plain model no new tuple can, unless it is limited. */
function revokingTuples(change: Change, { isPlain, relations }: Reach): readonly Tuple[] {
  if (change.op !== 'write_tuples' && change.op !== 'delete_tuples') return [];
  const { op, tuples } = change;
  const all = isPlain && op === 'write_tuples' ? tuples.filter(isLimited) : tuples;
  return all.filter((tuple) => relations.has(relationOf(tuple)));
}

function tupleRevocation(tuple: Tuple, { isPlain, tuplesets }: Reach, actors: Actors): Revocation {
  const { type, relation } = parseSubject(tuple.subject);
  // only one agent has what was lent: nobody else has a right through it
  const isHolder = actors.isType(type) || type === 'elevation';
  const isOne = relation === '' && isHolder && !tuplesets.has(relationOf(tuple));
  const isOther = isPlain && relationOf(tuple) === 'permission#granted' && tuple.object !== fullAdministration;
  return { from: isOne ? tuple.subject : undefined, isOfAdministrators: !isOther };
}

/** `role#assignee` of a tuple of `role:editor`. */
function relationOf({ object, relation }: Tuple): string {
  return `${object.slice(0, object.indexOf(':'))}#${relation}`;
}

const fullAdministration = permissionObject('settings.manage');
