import { passwordState } from '../../../directory/users/index.ts';
import type { Step } from './step.ts';

const DAY_MS = 86_400_000;

/**
 * Asks for a new password: where an administrator has demanded it, where there is none yet, and where it is too old.
 * Whoever came through a provider, or by a link where passwords are not allowed, is not asked.
 */
export const passwordStep: Step = {
  name: 'password',
  due({ store, settings, user, proven, now }) {
    if (proven.method !== 'password' || !settings.signIn.allowPassword || settings.signIn.magicLinksOnly)
      return undefined;
    const { hasPassword, mustChange, changedAt } = passwordState(store, user.id);
    const { maxAgeDays } = settings.passwordPolicy;
    const isTooOld =
      hasPassword && proven.amr.includes('pwd') && maxAgeDays > 0 && now >= (changedAt ?? 0) + maxAgeDays * DAY_MS;
    return mustChange || isTooOld ? { path: '/signin/new-password' } : undefined;
  },
};
