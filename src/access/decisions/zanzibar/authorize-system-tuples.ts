import { type Change, type Precondition, parseObject, parseSubject, type Tuple } from '#engine';
import type { AnyAssignable, Telling } from '../../../kernel/assignments/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  type Asking,
  forbidden,
  keepAdministrator,
  refused,
  requireHeldToRevoke,
  requirePermission,
  requireStillValid,
  rightsHolders,
  sameModel,
  sameRights,
} from '../../../kernel/transactions/index.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import { NamedRecords } from './named-records.ts';

/** Made by their own endpoints alone, on either side of a tuple. */
const neverRaw: ReadonlySet<string> = new Set(['policy#applies', 'elevation']);

export interface TupleChanges {
  readonly writes: readonly Tuple[];
  readonly deletes: readonly Tuple[];
}

/** What the write must carry to keep to the rules when it is applied. */
export interface AuthorizedTuples {
  /** Tuples of the organization's own types, which no telling is about. */
  readonly others: TupleChanges;
  /** How the changes of rights are put on record and told: as by the endpoints that make the same ones. */
  readonly tellings: readonly Telling[];
  readonly preconditions: readonly Precondition[];
  /** See `WriteRequest`. */
  readonly judgedModelId?: string | undefined;
  /** Records that the tuples make, and those that change with what they hold. */
  readonly changes: readonly Change[];
}

/**
 * Rights have one door. A tuple on a system type needs the permission of the matching admin endpoint, gives nothing that
 * the caller does not hold, and takes no last administrator away. To be called inside the snapshot that judges.
 * @throws ProblemError 401, 403, 422; EngineError `invalid_tuple`
 */
export function authorizeSystemTuples(
  dependencies: AuthzDependencies,
  caller: Caller,
  { writes, deletes }: TupleChanges,
  now: number,
): AuthorizedTuples {
  requireStillValid(caller);
  requirePermission(caller, 'tuples.write');
  const located = [
    ...writes.map((tuple, index) => ({ tuple, op: 'write' as const, path: `writes[${index}]` })),
    ...deletes.map((tuple, index) => ({ tuple, op: 'delete' as const, path: `deletes[${index}]` })),
  ];
  const systemTuples = located.filter(({ tuple }) => isSystemTuple(dependencies, tuple));
  const others = othersOf({ writes, deletes }, systemTuples);
  const { organization } = caller;
  const asking = { dependencies, caller, now };
  for (const { tuple, op } of systemTuples) {
    requireManagingRight(dependencies, caller, tuple);
    if (op === 'write') requireNotEverybody(dependencies, tuple);
    const { id } = parseObject(tuple.object);
    const assignable = assignableBy(dependencies, tuple);
    if (op === 'write' || !isOwnRelation(tuple, assignable)) assignable?.requireHeld(asking, id);
    else requireHeldToRevoke(asking, assignable.source(id));
  }
  requireChangeable(
    asking,
    systemTuples.map(({ tuple }) => tuple),
  );
  const { store } = caller.organization;
  const records = new NamedRecords(dependencies, caller, now);
  for (const each of systemTuples) if (each.op === 'write') records.require(each);
  if (systemTuples.length < located.length) for (const tuple of writes) records.meet(tuple);
  const { made, ...named } = records.passage;
  // in an organization's model any tuple can decide about rights; in the system model only those of its own types
  if (systemTuples.length === 0 && dependencies.rights.reach(store).isPlain) {
    // a write says by itself which model it was judged by
    const judgedModelId = writes.length > 0 ? store.latestModelId() : undefined;
    return {
      others,
      tellings: named.tellings,
      preconditions: [
        ...(judgedModelId === undefined ? [sameModel(store)] : []),
        ...sameRights(store, rightsHolders(caller)),
        ...(caller.credentialPreconditions?.() ?? []),
        ...named.preconditions,
      ],
      judgedModelId,
      changes: named.changes,
    };
  }
  const changes = [
    { op: 'delete_tuples', store: store.name, tuples: deletes },
    { op: 'write_tuples', store: store.name, tuples: writes },
  ] as const;
  const kept = keepAdministrator(dependencies, organization, { changes, holders: rightsHolders(caller), now });
  const told = dependencies.assignments.told(store, systemTuples, now, made);
  return {
    others,
    tellings: [...named.tellings, ...told.tellings],
    preconditions: [
      ...named.preconditions,
      ...told.preconditions,
      ...kept.preconditions,
      ...(caller.credentialPreconditions?.() ?? []),
    ],
    changes: [...named.changes, ...told.changes, ...kept.changes],
  };
}

function othersOf({ writes, deletes }: TupleChanges, told: readonly { readonly tuple: Tuple }[]): TupleChanges {
  if (told.length === 0) return { writes, deletes };
  const known = new Set(told.map(({ tuple }) => tuple));
  const isOther = (tuple: Tuple): boolean => !known.has(tuple);
  return { writes: writes.filter(isOther), deletes: deletes.filter(isOther) };
}

/** Types of the system model: their tuples say who has which right. */
function isSystemTuple({ systemModel }: AuthzDependencies, tuple: Tuple): boolean {
  return systemModel.model.types.has(parseObject(tuple.object).type) || isNeverRaw(tuple);
}

/** Relations that a model of the organization adds to policies are its own. */
function isNeverRaw(tuple: Tuple): boolean {
  const object = parseObject(tuple.object);
  const subject = parseSubject(tuple.subject);
  return (
    neverRaw.has(object.type) ||
    neverRaw.has(subject.type) ||
    neverRaw.has(`${object.type}#${tuple.relation}`) ||
    neverRaw.has(`${subject.type}#${subject.relation}`)
  );
}

/** It needs the permissions of the matching admin endpoint. */
function requireManagingRight({ actors, assignments }: AuthzDependencies, caller: Caller, tuple: Tuple): void {
  const { type } = parseObject(tuple.object);
  const given = assignments.rightsOf(tuple);
  const other = actors.managedBy(type) ?? (type === 'policy' ? 'policies.manage' : undefined);
  const permissions = given.length > 0 || other === undefined ? given : [other];
  if (permissions.length === 0 || isNeverRaw(tuple)) {
    throw refused('Tuples of policies and elevations can only be written by their own endpoints.');
  }
  const lacking = permissions.find((permission) => !caller.may(permission));
  if (lacking === undefined) return;
  const isOfHolder = given.length > 0 && lacking !== assignments.assignable(type)?.right;
  const what = isOfHolder ? `${type} with a subject of the type ${parseSubject(tuple.subject).type}` : type;
  throw forbidden(`Tuples of the type ${what} need the permission ${lacking}.`);
}

/** Nor is what a program has given or taken by whoever may not change the program, as at its own endpoint. */
function requireChangeable(
  asking: { readonly dependencies: AuthzDependencies } & Asking,
  tuples: readonly Tuple[],
): void {
  const { assignments } = asking.dependencies;
  const judged = new Set<string>();
  for (const tuple of tuples) {
    if (judged.has(tuple.subject)) continue;
    const assignment = assignments.of(tuple);
    if (assignment === undefined) continue;
    judged.add(tuple.subject);
    assignment.requireChangeable(asking, parseSubject(tuple.subject).id);
  }
}

/** What its object gives. What a model adds to a system type may lead to it, and is judged like it. */
function assignableBy({ assignments }: AuthzDependencies, { object }: Tuple): AnyAssignable | undefined {
  return assignments.assignable(parseObject(object).type);
}

/** Whether the system model has its relation; others an organization's model has added to a system type. */
function isOwnRelation({ relation }: Tuple, assignable: AnyAssignable | undefined): assignable is AnyAssignable {
  return assignable?.relation === relation;
}

/** Everybody may be in a group, but holds a role or a permission under a condition alone. */
function requireNotEverybody(dependencies: AuthzDependencies, tuple: Tuple): void {
  const assignable = assignableBy(dependencies, tuple);
  const isWildcard = parseSubject(tuple.subject).relation === '*';
  if (isWildcard && isOwnRelation(tuple, assignable) && tuple.condition === undefined && !assignable.isOpenToAll) {
    throw refused(`${assignable.type}#${tuple.relation} does not accept everybody without a condition.`);
  }
}
