import { aboutUser } from '../../../directory/users/index.ts';
import type { Happening } from '../../../kernel/audit/index.ts';

/** For the commit that leads a sign-in to the question for a factor. */
export function mfaChallenged(userId: string, types: readonly string[]): Happening {
  return aboutUser(userId, 'auth.mfa.challenge', 'mfa.challenge', { metadata: { types: [...new Set(types)] } });
}
