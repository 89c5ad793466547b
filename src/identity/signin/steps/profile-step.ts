import type { Store } from '#engine';
import type { UserRecord } from '../../../directory/records/index.ts';
import { isDecidedBy } from '../../../directory/users/index.ts';
import type { Step } from './step.ts';

/** What a profile should have, in the order in which it is asked for. */
const asked = ['givenName', 'familyName'] as const;

export type AskedField = (typeof asked)[number];

/**
 * What is missing in a profile and may be filled in by the user: never an attribute that a policy decides by. To be
 * called inside `Engine.read`.
 */
export function missingFields(store: Store, user: UserRecord): AskedField[] {
  const missing = asked.filter((name) => (user[name] ?? '') === '');
  return missing.filter((name) => !isDecidedBy(store, new Set([name])));
}

export const profileStep: Step = {
  name: 'profile',
  due({ store, settings, user, proven }) {
    if (!settings.signIn.progressiveProfiling || proven.skipped.includes('profile')) return undefined;
    return missingFields(store, user.document).length > 0 ? { path: '/signin/profile' } : undefined;
  },
};
