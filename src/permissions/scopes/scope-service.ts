import { commitPlan, notFound, type Plan, refused, requirePermission, taken } from '../../admin/index.ts';
import type { RequestFacts } from '../../audit/index.ts';
import { numberKey } from '../../directory/index.ts';
import type { Caller } from '../../orgs/index.ts';
import { isSystemPermission } from '../../rights/index.ts';
import type { PermissionParts } from '../parts.ts';
import { findScope, getScope, type ScopeEntry, type ScopeRecord, scopeRecords } from './scope-record.ts';

/** Scopes of OpenID Connect (Core 1.0, 5.4 and 11): what they mean is not an organization's to say. */
const standardScopes: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
]);

export interface NewScope {
  readonly name: string;
  readonly description?: string | undefined;
  readonly isDefault?: boolean | undefined;
}

export async function createScope(
  parts: PermissionParts,
  caller: Caller,
  facts: RequestFacts,
  { name, description = '', isDefault = false }: NewScope,
): Promise<ScopeEntry> {
  const { store } = caller.organization;
  const number = await parts.numbers.next(store.name, scopeRecords.collection);
  return commitPlan(parts, caller, facts, (now): Plan<ScopeEntry> => {
    requirePermission(caller, 'scopes.manage');
    if (standardScopes.has(name.toLowerCase())) throw refused('OpenID Connect says what this scope means.', 'name');
    if (isSystemPermission(name)) throw refused('A scope cannot be called like a system permission.', 'name');
    const rival = findScope(store, name);
    if (rival !== undefined) throw taken('name', `There is a scope ${rival.document.name}.`);
    const document: ScopeRecord = { number, name, description, isDefault, createdAt: now };
    const id = numberKey(number);
    return {
      changes: [scopeRecords.put(store, id, document)],
      entries: [happening('scope.create', document)],
      result: { id, version: 1, document },
    };
  });
}

export function deleteScope(parts: PermissionParts, caller: Caller, facts: RequestFacts, number: number) {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (): Plan<void> => {
    requirePermission(caller, 'scopes.manage');
    const entry = getScope(store, number);
    if (entry === undefined) throw notFound();
    return {
      changes: [scopeRecords.delete(store, entry.id)],
      preconditions: [scopeRecords.same(store, entry)],
      entries: [happening('scope.delete', entry.document)],
      result: undefined,
    };
  });
}

function happening(action: string, { number, name }: ScopeRecord) {
  return {
    eventType: 'admin.action',
    action,
    targetId: String(number),
    targetType: 'scope',
    metadata: { scope: name },
  };
}
