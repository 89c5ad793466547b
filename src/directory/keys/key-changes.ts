import type { RequestFacts } from '../../kernel/audit/index.ts';
import type { Caller } from '../../kernel/organizations/index.ts';
import { missingPermission } from '../../kernel/rights/index.ts';
import {
  type AdminDependencies,
  forbidden,
  invalid,
  requireHeldPermission,
  requireHeldThrough,
  type Transaction,
  transact,
} from '../../kernel/transactions/index.ts';
import { createApiKey, digestOf } from '../../platform/index.ts';
import {
  expectedRoleVersions,
  findPermission,
  findRole,
  type KeyEntry,
  type KeyRecord,
  keyRecords,
  keySubject,
  mintKey,
  rightsOf,
  roleAssignees,
} from '../records/index.ts';
import { keyUseRecords } from './key-use.ts';

export interface NewKeyRequest {
  readonly name: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  readonly expiresAt?: number | undefined;
}

/** A key, and its text: to be shown once. */
export interface ShownKey {
  readonly id: string;
  readonly key: string;
}

/** Handing out more than one holds is refused here and in every other change of a key. */
export function createKey(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  { name, roles, permissions, expiresAt }: NewKeyRequest,
): Promise<ShownKey> {
  const record = { name, createdAt: dependencies.audit.now(), createdBy: caller.subject ?? 'platform' };
  const minted = mintKey(dependencies.audit.newId(), expiresAt === undefined ? record : { ...record, expiresAt });
  const { id, key, subject, document } = minted;
  return transact(dependencies, caller, facts, (transaction) => {
    transaction.require('settings.manage');
    for (const [place, slug] of roles.entries()) requireRole(transaction, slug, `roles[${place}]`);
    for (const [place, slug] of permissions.entries()) requirePermission(transaction, slug, `permissions[${place}]`);
    transaction.put(keyRecords, id, document);
    transaction.write(rightsOf(subject, roles, permissions));
    tell(transaction, 'create', id);
    return { id, key };
  });
}

function requireRole(transaction: Transaction, slug: string, path: string): void {
  const { dependencies, caller, store, now } = transaction;
  if (findRole(store, slug) === undefined) throw invalid(path, `there is no role ${slug}`);
  requireHeldThrough(dependencies, caller, roleAssignees(slug), now);
  transaction.expect(expectedRoleVersions(store, slug));
}

function requirePermission({ dependencies, caller, store, now }: Transaction, slug: string, path: string): void {
  if (findPermission(store, slug) === undefined) throw invalid(path, `there is no permission ${slug}`);
  requireHeldPermission(dependencies, caller, slug, now);
}

/** A new secret; the old one fails at once. */
export async function rotateKey(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  id: string,
): Promise<ShownKey> {
  const key = createApiKey('admin');
  const fresh = { digest: digestOf(key), tail: key.slice(-4), rotatedAt: dependencies.audit.now() };
  await change(dependencies, caller, facts, 'rotate', id, (document) => ({ ...document, ...fresh }));
  return { id, key };
}

/** @param changes what is left out stays; `null` takes the expiry away */
export function updateKey(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  changes: { readonly name?: string | undefined; readonly expiresAt?: number | null | undefined },
): Promise<void> {
  return change(dependencies, caller, facts, 'update', id, ({ expiresAt: before, ...document }) => {
    const expiresAt = changes.expiresAt === undefined ? before : (changes.expiresAt ?? undefined);
    return {
      ...document,
      ...(changes.name === undefined ? {} : { name: changes.name }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
  });
}

/** The key, and every tuple that names it. @throws ProblemError 404 */
export function revokeKey(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  id: string,
): Promise<void> {
  return transact(dependencies, caller, facts, (transaction) => {
    changeable(transaction, id);
    transaction.delete(keyRecords, id);
    transaction.delete(keyUseRecords, id);
    transaction.deleteObject(keySubject(id));
    tell(transaction, 'revoke', id);
  });
}

function change(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  verb: string,
  id: string,
  changed: (document: KeyRecord) => KeyRecord,
): Promise<void> {
  return transact(dependencies, caller, facts, (transaction) => {
    const { document: before } = changeable(transaction, id);
    const document = changed(before);
    transaction.put(keyRecords, id, document);
    // with an expiry, a key is no administrator for good
    if (document.expiresAt !== undefined && before.expiresAt === undefined) transaction.limit(keySubject(id));
    tell(transaction, verb, id);
  });
}

/** A key with rights that the caller lacks is not the caller's to change: a new secret would be theirs. */
function changeable(transaction: Transaction, id: string): KeyEntry {
  const { dependencies, caller, now } = transaction;
  transaction.require('settings.manage');
  const entry = transaction.existing(keyRecords, id);
  const { organization, subject, actor, scopes } = caller;
  const question = { organization, subject, actor, scopes, rights: dependencies.rights, now };
  const lacking = missingPermission(question, keySubject(id));
  if (lacking !== undefined) throw forbidden(`The key holds ${lacking}, which the caller does not.`);
  return entry;
}

function tell(transaction: Transaction, verb: string, id: string): void {
  transaction.audit({
    eventType: 'admin.action',
    action: `api_key.${verb}`,
    targetId: id,
    targetType: 'api_key',
  });
}
