import type { Change, Store } from '#engine';
import {
  type AdminParts,
  commitPlan,
  invalid,
  notFound,
  type Plan,
  refused,
  requireHeldPermission,
  requirePermission,
  taken,
  unchanged,
} from '../admin/index.ts';
import { diff, type Happening, type RequestFacts } from '../audit/index.ts';
import {
  findPermission,
  grant,
  type PermissionEntry,
  type PolicyEntry,
  type PolicyRecord,
  permissionRecords,
  policyObject,
  policyRecords,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { isSystemPermission } from '../rights/index.ts';
import { applications, possibleApplications, requireCondition } from './policy-tuples.ts';
import { type PolicyView, policyApplies, policyView } from './policy-view.ts';

/** Policies of one organization: each is looked at by the decisions about what it grants. */
const POLICIES_MAX = 1000;

export type NewPolicy = Omit<PolicyRecord, 'createdAt' | 'updatedAt'> & { readonly permissions: readonly string[] };
export type PolicyChanges = { readonly [Field in keyof NewPolicy]?: NewPolicy[Field] | undefined };

export function createPolicy(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  { permissions, ...fields }: NewPolicy,
): Promise<PolicyView> {
  const { store } = caller.organization;
  const id = parts.audit.newId();
  return commitPlan(parts, caller, facts, (now): Plan<PolicyView> => {
    requirePermission(caller, 'policies.manage');
    requireFreeName(store, fields.name, undefined);
    if (policyRecords.index(store).count(undefined, '') >= POLICIES_MAX) {
      throw refused(`An organization can have ${POLICIES_MAX} policies.`);
    }
    requireCondition(store, fields.condition);
    const granted = readPermissions(parts, caller, permissions, now);
    const document: PolicyRecord = { ...fields, createdAt: now, updatedAt: now };
    const entry: PolicyEntry = { id, version: 1, document };
    return {
      changes: [
        policyRecords.put(store, id, document),
        ...written(store, [
          ...permissions.map((slug) => grant(slug, policyApplies(id))),
          ...applications(id, document),
        ]),
      ],
      preconditions: granted.map((permission) => permissionRecords.same(store, permission)),
      entries: [happening('policy.create', entry, { permissions })],
      result: { ...policyView(store, entry), permissions: [...permissions] },
    };
  });
}

/** What is not given stays. Whoever changes more than names must hold all that the policy grants afterwards. */
export function updatePolicy(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  { permissions, ...given }: PolicyChanges,
): Promise<PolicyView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<PolicyView> => {
    requirePermission(caller, 'policies.manage');
    const entry = requirePolicy(caller, id);
    const before = policyView(store, entry);
    const changed: PolicyRecord = { ...entry.document, ...withoutUndefined(given) };
    const wanted = [...(permissions ?? before.permissions)];
    requireFreeName(store, changed.name, id);
    const changes = diff(
      { ...entry.document, permissions: before.permissions.toSorted() },
      { ...changed, permissions: wanted.toSorted() },
    );
    if (Object.keys(changes).length === 0) return unchanged(before);
    const isWider = Object.keys(changes).some((field) => field !== 'name' && field !== 'description');
    if (isWider) requireCondition(store, changed.condition);
    const granted = isWider ? readPermissions(parts, caller, wanted, now) : [];
    const document: PolicyRecord = { ...changed, updatedAt: now };
    const changedEntry: PolicyEntry = { ...entry, document };
    return {
      changes: [
        policyRecords.put(store, id, document),
        ...tupleChanges(store, changedEntry, before.permissions, wanted),
      ],
      preconditions: [
        policyRecords.same(store, entry),
        ...granted.map((permission) => permissionRecords.same(store, permission)),
      ],
      entries: [happening('policy.update', changedEntry, { changes })],
      result: { ...policyView(store, changedEntry), permissions: wanted },
    };
  });
}

/** With the policy goes all that it grants. */
export function deletePolicy(parts: AdminParts, caller: Caller, facts: RequestFacts, id: string): Promise<void> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (): Plan<void> => {
    requirePermission(caller, 'policies.manage');
    const entry = requirePolicy(caller, id);
    return {
      changes: [{ op: 'delete_object', store: store.name, object: policyObject(id) }, policyRecords.delete(store, id)],
      preconditions: [policyRecords.same(store, entry)],
      entries: [happening('policy.delete', entry)],
      result: undefined,
    };
  });
}

function tupleChanges(
  store: Store,
  entry: PolicyEntry,
  before: readonly string[],
  wanted: readonly string[],
): Change[] {
  const { id, document } = entry;
  const kept = applications(id, document);
  const gone = [
    ...before.filter((slug) => !wanted.includes(slug)).map((slug) => grant(slug, policyApplies(id))),
    ...possibleApplications(id).filter(({ subject }) => !kept.some((tuple) => tuple.subject === subject)),
  ];
  return [
    ...(gone.length === 0 ? [] : [{ op: 'delete_tuples', store: store.name, tuples: gone } as const]),
    ...written(store, [...wanted.map((slug) => grant(slug, policyApplies(id))), ...kept]),
  ];
}

function written(store: Store, tuples: ReturnType<typeof applications>): Change[] {
  return tuples.length === 0 ? [] : [{ op: 'write_tuples', store: store.name, tuples }];
}

/** Policies never guard the service's own endpoints, and give nothing that the caller does not hold. */
function readPermissions(parts: AdminParts, caller: Caller, slugs: readonly string[], now: number): PermissionEntry[] {
  const { store } = caller.organization;
  return slugs.map((slug, place) => {
    const path = `permissions[${place}]`;
    const entry = findPermission(store, slug);
    if (entry === undefined) throw invalid(path, `there is no permission ${slug}`);
    if (entry.document.isSystem || isSystemPermission(slug)) {
      throw refused('Policies cannot grant system permissions.', path);
    }
    requireHeldPermission(parts, caller, slug, now);
    return entry;
  });
}

function requirePolicy(caller: Caller, id: string): PolicyEntry {
  const entry = policyRecords.get(caller.organization.store, id);
  if (entry === undefined) throw notFound();
  return entry;
}

function requireFreeName(store: Store, name: string, own: string | undefined): void {
  const rival = policyRecords.byUnique(store, 'name', name.toLowerCase());
  if (rival !== undefined && rival.id !== own) throw taken('name', `There is a policy ${rival.document.name}.`);
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  // the same members, of which those that are undefined are left out
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function happening(action: string, { id, document }: PolicyEntry, metadata: object = {}): Happening {
  return {
    eventType: 'admin.action',
    action,
    targetId: id,
    targetType: 'policy',
    metadata: { policy: document.name, ...metadata },
  };
}
