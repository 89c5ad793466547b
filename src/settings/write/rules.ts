import { refused } from '../../admin/index.ts';
import type { Settings } from '../truth/settings.ts';
import type { Draft } from '../views/view.ts';

/** A rule over several settings: why they may not become so. */
type Rule = (before: Settings, after: Settings, draft: Draft) => string | undefined;

const rules: readonly Rule[] = [
  (_, { mfa }) =>
    mfa.required && mfa.methods.length === 0
      ? 'A second factor cannot be required while no method is allowed.'
      : undefined,
  (_, { signIn }) =>
    signIn.magicLinksOnly && !signIn.magicLinks ? 'Magic links cannot be the only way while they are off.' : undefined,
  (_, { signIn: { allowPassword, allowSocial, allowPasskeys, magicLinks } }) =>
    allowPassword || allowSocial || allowPasskeys || magicLinks ? undefined : 'Nobody could sign in any more.',
  (_, { email }) =>
    email.smtpHost === null && email.smtpPassword !== null ? 'smtpPassword needs smtpHost.' : undefined,
  keepPasswordWithServer,
];

/** Whoever may change the server must not learn the password by naming a server of their own. */
function keepPasswordWithServer(
  { email: was }: Settings,
  { email: is }: Settings,
  { named }: Draft,
): string | undefined {
  if (is.smtpPassword === null || named.has('email.smtpPassword')) return undefined;
  const isSame = was.smtpHost === is.smtpHost && was.smtpPort === is.smtpPort && was.smtpSecure === is.smtpSecure;
  return isSame ? undefined : 'Another mail server needs smtpPassword given again.';
}

/** @throws ProblemError 422 where the settings would contradict each other */
export function requireSound(before: Settings, after: Settings, draft: Draft): void {
  if (draft.refused !== undefined) throw refused(draft.refused.reason, draft.refused.path);
  for (const rule of rules) {
    const reason = rule(before, after, draft);
    if (reason !== undefined) throw refused(reason);
  }
}
