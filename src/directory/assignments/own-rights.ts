import {
  invalid,
  requireHeldPermission,
  requireHeldThrough,
  type Transaction,
} from '../../kernel/transactions/index.ts';
import { expectedRoleVersions, findPermission, findRole, rightsOf, roleAssignees, slugsOf } from '../records/index.ts';

/** What a program has where it acts for itself: slugs. */
export interface OwnRights {
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** For the audit log. Both are sorted: the order means nothing. */
export interface RightsChange {
  readonly before: OwnRights;
  readonly after: OwnRights;
}

/**
 * Gives a program (`oauth_client:C`, `agent:A`) exactly these roles and permissions; what is not said stays. Nobody gives
 * what they do not hold.
 * @throws ProblemError 400 naming what there is not, 403
 */
export function changeRights(
  transaction: Transaction,
  subject: string,
  wanted: { readonly roles?: readonly string[] | undefined; readonly permissions?: readonly string[] | undefined },
): RightsChange {
  const { dependencies, caller, store, now } = transaction;
  const before: OwnRights = {
    roles: slugsOf(store, subject, 'role'),
    permissions: slugsOf(store, subject, 'permission'),
  };
  const after: OwnRights = {
    roles: [...new Set(wanted.roles ?? before.roles)],
    permissions: [...new Set(wanted.permissions ?? before.permissions)],
  };
  for (const [place, slug] of (wanted.roles ?? []).entries()) {
    if (findRole(store, slug) === undefined) throw invalid(`roles[${place}]`, `there is no role ${slug}`);
  }
  for (const [place, slug] of (wanted.permissions ?? []).entries()) {
    if (findPermission(store, slug) === undefined)
      throw invalid(`permissions[${place}]`, `there is no permission ${slug}`);
  }
  const roles = difference(before.roles, after.roles);
  const permissions = difference(before.permissions, after.permissions);
  for (const slug of roles.given) requireHeldThrough(dependencies, caller, roleAssignees(slug), now);
  for (const slug of permissions.given) requireHeldPermission(dependencies, caller, slug, now);
  transaction.erase(rightsOf(subject, roles.taken, permissions.taken));
  transaction.write(rightsOf(subject, roles.given, permissions.given));
  transaction.expect(roles.given.flatMap((slug) => expectedRoleVersions(store, slug)));
  return { before: sorted(before), after: sorted(after) };
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
