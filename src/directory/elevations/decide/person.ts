import type { Caller, Organization } from '../../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import { countsNow, getUser, userSubject } from '../../records/index.ts';

/** A user who is signed in at a page, as a caller: with all that the user holds. To be called inside `Engine.read`. */
export function personCaller(
  { engine, rights, clock }: Pick<AdminDependencies, 'engine' | 'rights' | 'clock'>,
  organization: Organization,
  userId: string,
): Caller {
  const { store } = organization;
  const subject = userSubject(userId);
  return {
    organization,
    subject,
    seesRights: true,
    email: getUser(store, userId)?.document.email,
    may: (permission) => engine.read(() => rights.holds(organization, subject, permission, clock.now()) !== 'no'),
    isStillValid: () =>
      engine.read(() => {
        const user = getUser(store, userId);
        return user !== undefined && countsNow(user.document);
      }),
  };
}
