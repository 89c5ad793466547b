import {
  type AdminParts,
  commitPlan,
  invalid,
  notFound,
  type Plan,
  refused,
  requirePermission,
  taken,
  unchanged,
} from '../admin/index.ts';
import { diff, type Happening, type RequestFacts } from '../audit/index.ts';
import {
  firstOwnNumber,
  getPermission,
  leftoversOf,
  type PermissionEntry,
  type PermissionRecord,
  permissionRecords,
  permissionWrite,
  slugKey,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { permissionObject } from '../rights/index.ts';
import type { PermissionParts } from './parts.ts';
import { slugFromName } from './slug-from-name.ts';

export interface PermissionFields {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly resource?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly category?: string | null | undefined;
}

/** Without a slug one is made from the name, without a name the slug is the name; one of the two is there. */
export interface NewPermission extends PermissionFields {
  readonly slug?: string | undefined;
}

/** Granted to nobody at first: whatever tuples name its slug from before are removed with the same command. */
export async function createPermission(
  parts: PermissionParts,
  caller: Caller,
  facts: RequestFacts,
  { slug: wanted, ...fields }: NewPermission,
): Promise<PermissionEntry> {
  const { store } = caller.organization;
  const next = await parts.numbers.next(store.name, permissionRecords.collection);
  const number = firstOwnNumber - 1 + next;
  return commitPlan(parts, caller, facts, (now): Plan<PermissionEntry> => {
    requirePermission(caller, 'permissions.create');
    const rivalOf = (slug: string) => permissionRecords.byUnique(store, 'slug', slugKey(slug));
    const name = fields.name ?? wanted ?? '';
    const slug = wanted ?? slugFromName(name, number, (each) => rivalOf(each) !== undefined);
    const rival = rivalOf(slug);
    if (rival !== undefined) throw taken('slug', `There is a permission ${rival.document.slug}.`);
    const document = withFields(
      { number, slug, name, isSystem: false, createdAt: now, updatedAt: now },
      { ...fields, name, ...halves(slug, fields) },
    );
    const record = permissionWrite(document);
    const entry: PermissionEntry = { id: record.id, version: 1, document };
    return {
      changes: [...leftoversOf(store, permissionObject(slug)), { op: 'put_record', store: store.name, record }],
      entries: [happening('permission.create', document)],
      result: entry,
    };
  });
}

export function updatePermission(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  number: number,
  fields: PermissionFields,
): Promise<PermissionEntry> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<PermissionEntry> => {
    requirePermission(caller, 'permissions.update');
    const entry = requireOwn(caller, number, 'changed');
    const { slug } = entry.document;
    const changed = withFields(entry.document, { ...fields, ...halves(slug, fields) });
    const changes = diff(entry.document, changed);
    if (Object.keys(changes).length === 0) return unchanged(entry);
    const document: PermissionRecord = { ...changed, updatedAt: now };
    return {
      changes: [{ op: 'put_record', store: store.name, record: permissionWrite(document) }],
      preconditions: [permissionRecords.same(store, entry)],
      entries: [happening('permission.update', document, { changes })],
      result: { ...entry, document },
    };
  });
}

/** With the permission go all its tuples: it is in no role any more, and granted to nobody. */
export function deletePermission(parts: AdminParts, caller: Caller, facts: RequestFacts, number: number) {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (): Plan<void> => {
    requirePermission(caller, 'permissions.delete');
    const entry = requireOwn(caller, number, 'deleted');
    return {
      changes: [
        { op: 'delete_object', store: store.name, object: permissionObject(entry.document.slug) },
        permissionRecords.delete(store, entry.id),
      ],
      preconditions: [permissionRecords.same(store, entry)],
      entries: [happening('permission.delete', entry.document)],
      result: undefined,
    };
  });
}

/** @throws ProblemError 404, 422 where it is the system's */
function requireOwn(caller: Caller, number: number, verb: string): PermissionEntry {
  const entry = getPermission(caller.organization.store, number);
  if (entry === undefined) throw notFound();
  if (entry.document.isSystem) throw refused(`System permissions cannot be ${verb}.`);
  return entry;
}

/** By convention a slug is `resource:action`. Decisions read it so, and the record must not say anything else. */
function halves(slug: string, given: PermissionFields): Pick<PermissionFields, 'resource' | 'action'> {
  const colon = slug.indexOf(':');
  if (colon < 1 || colon === slug.length - 1) return {};
  const said = { resource: slug.slice(0, colon), action: slug.slice(colon + 1) };
  for (const field of ['resource', 'action'] as const) {
    if (given[field] === undefined || given[field] === null || given[field] === said[field]) continue;
    throw invalid(field, `must be ${said[field]}, as the slug says`);
  }
  return said;
}

const clearable = ['description', 'resource', 'action', 'category'] as const;

/** Fields that are not given stay; null takes one away. */
function withFields(record: PermissionRecord, fields: PermissionFields): PermissionRecord {
  const changed: { -readonly [Field in keyof PermissionRecord]: PermissionRecord[Field] } = { ...record };
  if (fields.name !== undefined) changed.name = fields.name;
  for (const field of clearable) {
    const value = fields[field];
    if (value === null) delete changed[field];
    else if (value !== undefined) changed[field] = value;
  }
  return changed;
}

function happening(action: string, { number, slug }: PermissionRecord, metadata: object = {}): Happening {
  return {
    eventType: 'admin.action',
    action,
    targetId: String(number),
    targetType: 'permission',
    metadata: { slug, ...metadata },
  };
}
