import type { Store } from '#engine';
import { diff, type RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { existing, refused, transactAs } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { getUser, userActing } from '../../records/index.ts';
import { isDecidedBy } from '../changes/deciding-attributes.ts';
import { changeUser } from '../changes/update-user.ts';
import { aboutUser, userUpdated } from '../changes/user-events.ts';
import type { UserDependencies } from '../dependencies.ts';
import { profileShape, withProfile } from '../profile/profile.ts';

/** What people say of themselves. A title and a user name are given by others. */
const own = ['name', 'givenName', 'familyName', 'picture', 'phoneNumber', 'locale', 'zoneinfo'] as const;

export type OwnField = (typeof own)[number];
export type OwnProfile = { readonly [Name in OwnField]?: string | null | undefined };

export const ownProfileShape = Object.fromEntries(own.map((name) => [name, profileShape[name]])) as Pick<
  typeof profileShape,
  OwnField
>;

/**
 * The fields that users may change by themselves: never one that a policy decides by, as then they could give themselves
 * what it grants. To be called inside `Engine.read`.
 */
export function ownFields(store: Store): OwnField[] {
  return own.filter((name) => !isDecidedBy(store, new Set([name])));
}

/** @throws ProblemError 422 where a field is not for the user to change */
export function changeOwnProfile(
  dependencies: Pick<UserDependencies, 'engine' | 'clock' | 'rights' | 'actors' | 'audit'>,
  organization: Organization,
  facts: RequestFacts,
  userId: string,
  profile: OwnProfile,
): Promise<void> {
  const { store } = organization;
  return transactAs(dependencies, organization, userActing(userId), facts, (transaction) => {
    const user = existing(getUser(store, userId));
    const allowed: readonly string[] = ownFields(store);
    const next = withProfile(user.document, profile);
    const foreign = own.find((name) => !allowed.includes(name) && next[name] !== user.document[name]);
    if (foreign !== undefined) throw refused(said('refusals.administratorsOnly'), foreign);
    changeUser(transaction, user, next, {
      entries: [
        aboutUser(userId, 'user.updated', 'user.update_own', { personal: { changes: diff(user.document, next) } }),
      ],
      events: [userUpdated],
    });
  });
}
