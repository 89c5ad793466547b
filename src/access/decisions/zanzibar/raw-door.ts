import { type Change, type ObjectRef, type Precondition, parseObject, parseSubject, type Tuple } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import { ProblemError, problem } from '../../../http/index.ts';
import type { Telling } from '../../../kernel/assignments/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  type HoldingsQuestion,
  holdsGroup,
  holdsPermission,
  holdsRole,
  missingSystemPermissionOf,
  type SystemPermission,
} from '../../../kernel/rights/index.ts';
import { keepAdministrator, sameModel } from '../../../kernel/transactions/index.ts';
import { systemTypes } from '../context/supplied.ts';
import { Forbidden } from '../forbidden.ts';
import type { AuthzParts } from '../parts.ts';
import { requireRecords } from './raw-records.ts';

/** Whose permission a raw tuple on a system type needs: that of the matching admin endpoint. */
const doors: Readonly<Record<string, SystemPermission>> = {
  ...Object.fromEntries(actors.kinds.map(({ type, managedBy }) => [type, managedBy])),
  group: 'groups.members',
  role: 'roles.assign',
  permission: 'permissions.grant',
};

/** Made by their own endpoints alone, on either side of a tuple. */
const neverRaw: ReadonlySet<string> = new Set(['policy', 'elevation']);

export interface RawWrite {
  readonly writes: readonly Tuple[];
  readonly deletes: readonly Tuple[];
}

/** What the write must carry to keep to the rules when it is applied. */
export interface RawPassage {
  /** How the changes of rights are put on record and told: as by the endpoints that make the same ones. */
  readonly tellings: readonly Telling[];
  readonly preconditions: readonly Precondition[];
  /** See `WriteRequest`. */
  readonly judgedModelId?: string | undefined;
  /** Records that change with what they hold. */
  readonly changes: readonly Change[];
}

/**
 * Rights have one door. A tuple on a system type needs the permission of the matching admin endpoint, gives nothing that
 * the caller does not hold, and takes no last administrator away. To be called inside the snapshot that judges.
 * @throws ProblemError 403, 422; EngineError `invalid_tuple`
 */
export function passRawDoor(parts: AuthzParts, caller: Caller, { writes, deletes }: RawWrite, now: number): RawPassage {
  if (!caller.may('tuples.write')) throw new Forbidden('This needs the permission tuples.write.');
  const systemTuples = [
    ...writes.map((tuple, place) => ({ tuple, op: 'write' as const, path: `writes[${place}]` })),
    ...deletes.map((tuple, place) => ({ tuple, op: 'delete' as const, path: `deletes[${place}]` })),
  ].filter(({ tuple }) => isSystemTuple(tuple));
  const { organization, subject, actor, scopes } = caller;
  const question = { organization, subject, actor, scopes, rights: parts.rights, now };
  for (const { tuple, op } of systemTuples) {
    requireDoor(caller, tuple);
    if (op === 'write') requireNotEverybody(tuple);
    if (op === 'write' || !isOwnRelation(tuple)) requireHeld(question, tuple);
    else requireHeldToTake(question, tuple);
  }
  const { store } = caller.organization;
  // in an organization's model any tuple can decide about rights; in the system model only those of its own types
  if (systemTuples.length === 0 && parts.rights.reach(store).isPlain) {
    // a write says by itself which model it was judged by
    const judgedModelId = writes.length > 0 ? store.latestModelId() : undefined;
    return {
      tellings: [],
      preconditions: judgedModelId === undefined ? [sameModel(store)] : [],
      judgedModelId,
      changes: [],
    };
  }
  const rest = requireRecords(
    store,
    systemTuples.filter(({ op }) => op === 'write'),
    now,
  );
  const changes = [
    { op: 'delete_tuples', store: store.name, tuples: deletes },
    { op: 'write_tuples', store: store.name, tuples: writes },
  ] as const;
  const kept = keepAdministrator(parts, organization, { changes, hasCaller: subject !== undefined, now });
  return {
    tellings: systemTuples.flatMap(({ tuple, op }) => parts.assignments.told(store, tuple, op, now)),
    preconditions: [...rest.preconditions, ...kept.preconditions],
    changes: [...rest.changes, ...kept.changes],
  };
}

function isSystemTuple(tuple: Tuple): boolean {
  return systemTypes.has(parseObject(tuple.object).type) || neverRaw.has(parseSubject(tuple.subject).type);
}

function requireDoor(caller: Caller, tuple: Tuple): void {
  const { type } = parseObject(tuple.object);
  if (neverRaw.has(type) || neverRaw.has(parseSubject(tuple.subject).type)) {
    throw refused('Tuples of policies and elevations are written by their own endpoints alone.');
  }
  const permission = doors[type];
  if (permission === undefined || caller.may(permission)) return;
  throw new Forbidden(`Tuples of the type ${type} need the permission ${permission}.`);
}

/** The relations that the system model has; others an organization's model has added to a system type. */
function isOwnRelation({ object, relation }: Tuple): boolean {
  const { type } = parseObject(object);
  return (
    (type === 'group' && relation === 'member') ||
    (type === 'role' && relation === 'assignee') ||
    (type === 'permission' && relation === 'granted')
  );
}

/** Everybody may be in a group, but holds a role or a permission under a condition alone. */
function requireNotEverybody(tuple: Tuple): void {
  const { type } = parseObject(tuple.object);
  const isWildcard = parseSubject(tuple.subject).relation === '*';
  if (isWildcard && isOwnRelation(tuple) && tuple.condition === undefined && type !== 'group') {
    throw refused(`${type}#${tuple.relation} does not accept everybody without a condition.`);
  }
}

/** Nobody gives what they do not hold. What a model adds to a system type may lead to it, and is judged like it. */
function requireHeld(question: HoldingsQuestion, tuple: Tuple): void {
  const lacking = lackingOf(question, parseObject(tuple.object));
  if (lacking !== undefined) throw new Forbidden(`This would give ${lacking}, which the caller does not hold.`);
}

/** What administers Relata is taken away only by who holds it. */
function requireHeldToTake(question: HoldingsQuestion, { object, relation }: Tuple): void {
  const source = relation === 'granted' ? object : `${object}#${relation}`;
  const lacking = missingSystemPermissionOf(question, source);
  if (lacking !== undefined) throw new Forbidden(`This would take ${lacking} away, which the caller does not hold.`);
}

function lackingOf(question: HoldingsQuestion, { type, id }: ObjectRef): string | undefined {
  switch (type) {
    case 'permission':
      return holdsPermission(question, id) ? undefined : id;
    case 'role':
      return holdsRole(question, id);
    case 'group':
      return holdsGroup(question, id);
    default:
      return undefined;
  }
}

function refused(detail: string): ProblemError {
  return new ProblemError(problem('refused', detail));
}
