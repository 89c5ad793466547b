import type { Settings } from '../../../directory/settings/index.ts';

/** Somewhere links alone let people in, whatever password they have. */
export function arePasswordsUsed({ allowPassword, magicLinksOnly }: Settings['signIn']): boolean {
  return allowPassword && !magicLinksOnly;
}
