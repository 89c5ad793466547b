import type { DelegatingUser } from '../../../directory/delegations/index.ts';
import { forbidden } from '../../../kernel/transactions/index.ts';
import { liveSession } from '../../sessions/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';

/** Who is signed in, as long as the session goes on. */
export function delegatingUser(
  { clock }: Pick<AccountDependencies, 'clock'>,
  { organization, user, session, facts, t }: AccountVisit,
): DelegatingUser {
  return {
    organization,
    userId: user.id,
    facts,
    judge() {
      const live = liveSession(organization.store, session.id, clock.now());
      if (live === undefined) throw forbidden(t('agents.signedOut'));
    },
  };
}
