import type { RecordEntry, Store } from '#engine';
import { assign, revoke } from '../../kernel/assignments/index.ts';
import { diffOfSets, type FieldChange } from '../../kernel/audit/index.ts';
import type { Transaction } from '../../kernel/transactions/index.ts';
import { type PermissionEntry, type RoleEntry, slugsOf } from '../records/index.ts';
import { permissionIn, roleIn } from './named.ts';
import type { ProgramRights } from './programs.ts';

/** What a program has where it acts for itself: slugs. */
export interface OwnRights {
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** As a body names them: by id, slug or number. */
export interface WantedRights {
  readonly roles?: readonly string[] | undefined;
  readonly permissions?: readonly (string | number)[] | undefined;
}

/** For the audit log. */
export interface RightsChange {
  /** Sorted: the order means nothing. */
  readonly after: OwnRights;
  readonly differences: Readonly<Record<string, FieldChange>>;
}

type Named<Entry> = ReadonlyMap<string, Entry>;

/** The roles that a body names, each once, by slug. @throws ProblemError 400 naming the first that does not exist */
function rolesNamed(store: Store, roles: readonly string[]): Named<RoleEntry> {
  return bySlug(roles.map((text, index) => roleIn(store, text, `roles[${index}]`)));
}

/** The same of permissions. */
function permissionsNamed(store: Store, permissions: readonly (string | number)[]): Named<PermissionEntry> {
  return bySlug(permissions.map((named, index) => permissionIn(store, named, `permissions[${index}]`)));
}

function bySlug<Document extends { readonly slug: string }>(
  entries: readonly RecordEntry<Document>[],
): Named<RecordEntry<Document>> {
  return new Map(entries.map((entry) => [entry.document.slug, entry]));
}

/** The slugs of permissions that a body names, each once. @throws ProblemError 400 naming the first that does not exist */
export function permissionSlugs(store: Store, permissions: readonly (string | number)[]): string[] {
  return [...permissionsNamed(store, permissions).keys()];
}

/**
 * Gives a program exactly these roles and permissions; what is not said stays. Nobody gives what they do not hold.
 * Whether the program is the caller’s to change has been judged.
 * @param program its record, of version 0 where it is new
 * @throws ProblemError 400 naming what there is not, 403
 */
export function changeRights<Document extends object>(
  transaction: Transaction,
  rights: ProgramRights<Document>,
  program: RecordEntry<Document>,
  wanted: WantedRights,
): RightsChange {
  const { store } = transaction;
  const subject = `${rights.roles.holder.type}:${program.id}`;
  const before = { roles: slugsOf(store, subject, 'role'), permissions: slugsOf(store, subject, 'permission') };
  const roles = wanted.roles && rolesNamed(store, wanted.roles);
  const permissions = wanted.permissions && permissionsNamed(store, wanted.permissions);
  for (const role of added(before.roles, roles)) assign(transaction, rights.roles, role, [program]);
  for (const each of added(before.permissions, permissions)) assign(transaction, rights.permissions, each, [program]);
  for (const slug of gone(before.roles, roles)) revoke(transaction, rights.roles, slug, program);
  for (const slug of gone(before.permissions, permissions)) revoke(transaction, rights.permissions, slug, program);
  const after = {
    roles: [...(roles?.keys() ?? before.roles)].toSorted(),
    permissions: [...(permissions?.keys() ?? before.permissions)].toSorted(),
  };
  return { after, differences: diffOfSets(before, after) };
}

function added<Entry>(before: readonly string[], wanted: Named<Entry> = new Map()): Entry[] {
  const known = new Set(before);
  return [...wanted].filter(([slug]) => !known.has(slug)).map(([, entry]) => entry);
}

function gone(before: readonly string[], wanted: Named<unknown> | undefined): string[] {
  return wanted === undefined ? [] : before.filter((slug) => !wanted.has(slug));
}
