import type { Store } from '#engine';
import { group as groupDescription } from '../../../directory/groups/index.ts';
import { type GroupEntry, groupRecords, rivalGroup, slugKey } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { diff } from '../../../kernel/audit/index.ts';
import { slugOfName } from '../../../kernel/organizations/index.ts';
import { auditEventOf } from '../../../kernel/resources/index.ts';
import { type AdminDependencies, type Transaction, transact } from '../../../kernel/transactions/index.ts';
import type { ScimResource } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';
import type { Filter } from '../filter/filter.ts';
import { valueMatcher } from '../filter/match-filter.ts';
import { applyOperation } from '../patch/apply-patch.ts';
import type { PatchOperation } from '../patch/patch-operation.ts';
import { attributeAt } from '../schema/attribute-path.ts';
import { groupType } from '../schema/group-type.ts';
import type { Attribute } from '../schema/resource-type.ts';
import { existingRecord, requireSetting, requireVersion } from '../service/requirements.ts';
import type { ScimRequest } from '../service/scim-request.ts';
import { groupAttributes, groupContent, LARGE_FROM, memberOf } from './group-resource.ts';
import { MemberChanges } from './member-changes.ts';

const membersAttribute = attributeAt(groupType, { attribute: 'members' }) as Attribute; // the type has it

/** @throws ProblemError 400, 403, 409 */
export function createScimGroup(
  dependencies: AdminDependencies,
  { caller, facts }: ScimRequest,
  resource: ScimResource,
): Promise<string> {
  return transact(dependencies, caller, facts, (transaction) => {
    const { store } = transaction;
    requireSync(store);
    const { displayName, externalId } = fieldsOf(resource);
    requireFreeName(store, displayName);
    const name = slugFor(displayName, (slug) => rivalGroup(store, slug) !== undefined);
    const { create } = groupDescription;
    transaction.require(create.right);
    const { id, document } = create.create(transaction, { name, displayName }, 0);
    const entry: GroupEntry = { id, version: 1, document: provisioned(document, externalId) };
    transaction.put(groupRecords, id, entry.document);
    transaction.audit(auditEventOf(groupDescription, 'create', entry));
    const members = new MemberChanges();
    members.add(idsOf(resource.members));
    members.apply(transaction, entry, readSettings(store).scim);
    return id;
  });
}

/** Makes a group what a resource says. @throws ProblemError 400, 403, 404, 409, 412 */
export function replaceScimGroup(
  dependencies: AdminDependencies,
  request: ScimRequest,
  id: string,
  resource: ScimResource,
): Promise<string> {
  return change(dependencies, request, id, (_, members) => {
    members.replace(idsOf(resource.members));
    return resource;
  });
}

/** @throws ProblemError 400, 403, 404, 409, 412 */
export function patchScimGroup(
  dependencies: AdminDependencies,
  request: ScimRequest,
  id: string,
  operations: readonly PatchOperation[],
): Promise<string> {
  return change(dependencies, request, id, ({ store, document: { name }, attributes }, members) => {
    let changed = attributes;
    for (const operation of operations) {
      if (operation.path?.attribute === 'members') applyToMembers(store, request.base, name, members, operation);
      else changed = applyOperation(groupType, changed, operation);
    }
    return changed;
  });
}

/** @throws ProblemError 403, 404, 412 */
export function deleteScimGroup(dependencies: AdminDependencies, request: ScimRequest, id: string): Promise<void> {
  return transact(dependencies, request.caller, request.facts, (transaction) => {
    const { store } = transaction;
    const entry = transaction.rely(groupRecords, existingRecord(store, groupRecords, id));
    requireUnchanged(store, request, entry);
    requireSync(store);
    transaction.require(groupDescription.delete.right);
    groupDescription.delete.delete?.(transaction, entry);
    transaction.delete(groupRecords, id);
    transaction.audit(auditEventOf(groupDescription, 'delete', entry));
  });
}

interface Before {
  readonly store: Store;
  readonly document: GroupEntry['document'];
  readonly attributes: ScimResource;
}

function change(
  dependencies: AdminDependencies,
  request: ScimRequest,
  id: string,
  changed: (before: Before, members: MemberChanges) => ScimResource,
): Promise<string> {
  return transact(dependencies, request.caller, request.facts, (transaction) => {
    const { store } = transaction;
    const entry = existingRecord(store, groupRecords, id);
    requireUnchanged(store, request, entry);
    requireSync(store);
    const members = new MemberChanges();
    const after = changed({ store, document: entry.document, attributes: groupAttributes(entry) }, members);
    const document = renamed(transaction, entry, fieldsOf(after));
    const isOther = members.apply(transaction, entry, readSettings(store).scim);
    if (document === entry.document && !isOther) return id;
    // also where members alone change: of two changes at once, the second one sees the first, whose list it has read
    transaction.rely(groupRecords, entry);
    transaction.put(groupRecords, id, { ...document, updatedAt: transaction.now });
    return id;
  });
}

/** The document with other names, as it was given where they are the same. */
function renamed(
  transaction: Transaction,
  entry: GroupEntry,
  { displayName, externalId }: Fields,
): GroupEntry['document'] {
  const { document: before } = entry;
  const changes = diff({ displayName: before.displayName, externalId: before.externalId }, { displayName, externalId });
  if (Object.keys(changes).length === 0) return before;
  transaction.require('groups.update');
  if (slugKey(displayName) !== slugKey(before.displayName)) requireFreeName(transaction.store, displayName);
  const document = provisioned({ ...before, displayName }, externalId);
  transaction.audit(auditEventOf(groupDescription, 'update', { ...entry, document }, { changes }));
  return document;
}

interface Fields {
  readonly displayName: string;
  readonly externalId: string | undefined;
}

function fieldsOf({ displayName, externalId }: ScimResource): Fields {
  if (typeof displayName !== 'string') throw scimError('mutability', 'displayName: is required.');
  return { displayName, externalId: typeof externalId === 'string' ? externalId : undefined };
}

function provisioned(
  { externalId: _, ...document }: GroupEntry['document'],
  externalId: string | undefined,
): GroupEntry['document'] {
  return { ...document, ...(externalId === undefined ? {} : { externalId }), isProvisioned: true };
}

/** One operation on `members`, with or without a filter (RFC 7644, 3.5.2). */
function applyToMembers(
  store: Store,
  base: string,
  name: string,
  members: MemberChanges,
  { op, path, value }: PatchOperation,
): void {
  const filter = path?.filter;
  if (path?.subAttribute !== undefined) {
    throw scimError('mutability', `members.${path.subAttribute}: members are added and removed, and not changed.`);
  }
  if (filter === undefined) {
    if (op === 'add') members.add(idsOf(value));
    else if (op === 'replace') members.replace(idsOf(value));
    else if (value === undefined) members.replace([]);
    else members.remove(idsOf(value));
    return;
  }
  const found = matchingIds(store, base, name, members, filter);
  if (op !== 'remove' && found.length === 0)
    throw scimError('noTarget', 'members: no member matches the filter of the path.');
  if (op === 'remove' || value === undefined) members.remove(found);
  else {
    members.remove(found);
    members.add(idsOf(value));
  }
}

function matchingIds(store: Store, base: string, name: string, members: MemberChanges, filter: Filter): string[] {
  // the usual case, for which a large group need not be read
  if (filter.kind === 'compare' && filter.operator === 'eq' && filter.path.attribute === 'value') {
    const id = String(filter.value);
    return members.has(store, name, id) ? [id] : [];
  }
  const all = members.of(store, name);
  if (all.size > LARGE_FROM) {
    throw scimError(
      'tooMany',
      `members: of a group of more than ${LARGE_FROM}, name those that are meant by their value.`,
    );
  }
  const passes = valueMatcher(membersAttribute, filter);
  return [...all].filter((id) => passes(memberOf(store, base, id)));
}

/** The members that a value names: texts, or objects with a `value`; one or a list. */
function idsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.map((each, index) => {
    const id = typeof each === 'string' ? each : (each as { readonly value?: unknown } | null)?.value;
    if (typeof id !== 'string' || id === '') throw scimError('invalidValue', `members[${index}].value: must be an id.`);
    return id;
  });
}

function requireUnchanged(store: Store, request: ScimRequest, entry: GroupEntry): void {
  if (request.ifMatch !== undefined) requireVersion(request, groupContent(store, entry));
}

function requireSync(store: Store): void {
  requireSetting(store, 'syncGroups', 'Provisioning groups is switched off');
}

/** @throws ProblemError 409 where a group is called so, in any case */
function requireFreeName(store: Store, displayName: string): void {
  const [rival] = groupRecords.index(store).ids('displayName', slugKey(displayName), { limit: 1 });
  if (rival !== undefined) throw scimError('uniqueness', 'displayName: another group has this name.');
}

const SLUG_MAX = 100;

/** A slug for a group that is only known by what people call it: `Sales (EMEA)` is `sales-emea`. */
function slugFor(displayName: string, isTaken: (slug: string) => boolean): string {
  const plain = slugOfName(displayName, SLUG_MAX);
  const slug = plain === '' ? 'group' : plain;
  if (!isTaken(slug)) return slug;
  for (let number = 2; ; number++) if (!isTaken(`${slug}-${number}`)) return `${slug}-${number}`;
}
