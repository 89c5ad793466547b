import {
  type Change,
  EngineError,
  type Precondition,
  parseObject,
  parseSubject,
  type Store,
  type Tuple,
} from '#engine';
import {
  findGroup,
  findPermission,
  findRole,
  groupRecords,
  permissionRecords,
  restsOnGroup,
  restsOnRole,
  roleRecords,
} from '../../../directory/records/index.ts';
import { ProblemError, problem } from '../../../http/index.ts';

/** What a write rests on, and the records that it changes. */
export interface RecordPassage {
  readonly preconditions: readonly Precondition[];
  readonly changes: readonly Change[];
}

/** A tuple, and where the request has it. */
export interface PlacedTuple {
  readonly tuple: Tuple;
  readonly path: string;
}

type Find = (store: Store, slug: string) => unknown;

const finders: Readonly<Record<string, Find>> = { group: findGroup, role: findRole, permission: findPermission };

/**
 * Roles, groups and permissions are records first: a tuple of rights names only those that there are, so that a slug
 * means nothing before it is created and after it is deleted. To be called inside the snapshot that judges.
 * @throws EngineError `invalid_tuple`; ProblemError 422
 */
export function requireRecords(store: Store, writes: readonly PlacedTuple[], now: number): RecordPassage {
  const preconditions = new Map<string, Precondition>();
  const changes = new Map<string, Change>();
  for (const { tuple, path } of writes) {
    const object = parseObject(tuple.object);
    const subject = parseSubject(tuple.subject);
    requireKnown(store, object.type, object.id, `${path}.object`);
    requireKnown(store, subject.type, subject.id, `${path}.subject`);
    if (object.type === 'role' && subject.type === 'group' && findRole(store, object.id)?.document.isSystem) {
      throw new ProblemError(problem('refused', 'System roles cannot be assigned to groups.'));
    }
    for (const each of [...restsOn(store, object.type, object.id), ...restsOn(store, subject.type, subject.id)]) {
      preconditions.set(JSON.stringify(each), each);
    }
    const change = changedRecord(store, object.type, subject.type, subject.id, now);
    if (change !== undefined) changes.set(tuple.subject, change);
  }
  return { preconditions: [...preconditions.values()], changes: [...changes.values()] };
}

function requireKnown(store: Store, type: string, id: string, path: string): void {
  const find = finders[type];
  if (find === undefined || id === '*' || find(store, id) !== undefined) return;
  throw new EngineError('invalid_tuple', `there is no ${type} ${id}: create it first`, { path });
}

function restsOn(store: Store, type: string, slug: string): Precondition[] {
  if (type === 'role') return restsOnRole(store, slug);
  if (type === 'group') return restsOnGroup(store, slug);
  const permission = type === 'permission' ? findPermission(store, slug) : undefined;
  return permission === undefined ? [] : [permissionRecords.same(store, permission)];
}

/** What gets a permission or a role is written anew: whoever gives it at the same moment judges again. */
function changedRecord(store: Store, objectType: string, type: string, slug: string, now: number): Change | undefined {
  if (objectType === 'permission' && type === 'role') {
    const role = findRole(store, slug);
    if (role === undefined) return undefined;
    return roleRecords.put(store, role.id, { ...role.document, updatedAt: now });
  }
  if (objectType === 'role' && type === 'group') {
    const group = findGroup(store, slug);
    if (group === undefined) return undefined;
    return groupRecords.put(store, group.id, { ...group.document, updatedAt: now });
  }
  return undefined;
}
