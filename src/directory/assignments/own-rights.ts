import type { Precondition, Store } from '#engine';
import { requireHeldPermission, requireHeldThrough, type Transaction } from '../../kernel/transactions/index.ts';
import {
  expectedRoleVersions,
  findPermission,
  permissionRecords,
  rightsOf,
  roleAssignees,
  slugsOf,
} from '../records/index.ts';
import { permissionIn, roleIn } from './named.ts';

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

/** For the audit log. Both are sorted: the order means nothing. */
export interface RightsChange {
  readonly before: OwnRights;
  readonly after: OwnRights;
}

/** The slugs of roles that a body names, each once. @throws ProblemError 400 naming the first that does not exist */
export function roleSlugs(store: Store, roles: readonly string[]): string[] {
  return [...new Set(roles.map((text, index) => roleIn(store, text, `roles[${index}]`).document.slug))];
}

/** The same of permissions. */
export function permissionSlugs(store: Store, permissions: readonly (string | number)[]): string[] {
  const slugs = permissions.map((named, index) => permissionIn(store, named, `permissions[${index}]`).document.slug);
  return [...new Set(slugs)];
}

/**
 * Gives a program (`oauth_client:C`, `agent:A`) exactly these roles and permissions; what is not said stays. Nobody gives
 * what they do not hold.
 * @throws ProblemError 400 naming what there is not, 403
 */
export function changeRights(transaction: Transaction, subject: string, wanted: WantedRights): RightsChange {
  const { store } = transaction;
  const before: OwnRights = {
    roles: slugsOf(store, subject, 'role'),
    permissions: slugsOf(store, subject, 'permission'),
  };
  const after: OwnRights = {
    roles: wanted.roles === undefined ? before.roles : roleSlugs(store, wanted.roles),
    permissions: wanted.permissions === undefined ? before.permissions : permissionSlugs(store, wanted.permissions),
  };
  const roles = difference(before.roles, after.roles);
  const permissions = difference(before.permissions, after.permissions);
  for (const slug of roles.given) requireHeldThrough(transaction, roleAssignees(slug));
  for (const slug of permissions.given) requireHeldPermission(transaction, slug);
  transaction.erase(rightsOf(subject, roles.taken, permissions.taken));
  transaction.write(rightsOf(subject, roles.given, permissions.given));
  transaction.expect(givenVersions(store, roles.given, permissions.given));
  return { before: sorted(before), after: sorted(after) };
}

/** What is given must still be there, and be what it was when it was judged. */
export function givenVersions(
  store: Store,
  roles: readonly string[],
  permissions: readonly string[],
): readonly Precondition[] {
  return [
    ...roles.flatMap((slug) => expectedRoleVersions(store, slug)),
    ...permissions.flatMap((slug) => {
      const entry = findPermission(store, slug);
      return entry === undefined ? [] : [permissionRecords.same(store, entry)];
    }),
  ];
}

function sorted({ roles, permissions }: OwnRights): OwnRights {
  return { roles: roles.toSorted(), permissions: permissions.toSorted() };
}

function difference(before: readonly string[], after: readonly string[]) {
  return {
    given: after.filter((slug) => !before.includes(slug)),
    taken: before.filter((slug) => !after.includes(slug)),
  };
}
