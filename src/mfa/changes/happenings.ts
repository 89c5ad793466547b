import type { Happening } from '../../audit/index.ts';
import { aboutUser } from '../../users/index.ts';

/** For the commit that leads a sign-in to the question for a factor. */
export function mfaChallenged(userId: string, types: readonly string[]): Happening {
  return aboutUser(userId, 'auth.mfa.challenge', 'mfa.challenge', { metadata: { types: [...new Set(types)] } });
}
