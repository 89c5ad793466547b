import { refused, usableAddress } from '../../../kernel/transactions/index.ts';
import type { OutboundGuard } from '../../../platform/index.ts';
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
  (_, { sms }) =>
    sms.url === null && (sms.password !== null || sms.token !== null) ? 'Secrets of sms need its url.' : undefined,
  keepPasswordWithServer,
  keepSecretsWithProvider,
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

/** The same of the provider of short messages. */
function keepSecretsWithProvider({ sms: was }: Settings, { sms: is }: Settings, { named }: Draft): string | undefined {
  const stays = (name: 'password' | 'token'): boolean => is[name] !== null && !named.has(`sms.${name}`);
  if (was.url === is.url || !(stays('password') || stays('token'))) return undefined;
  return 'Another url needs the secrets of sms given again.';
}

/** @throws ProblemError 400 where the service would never send anything to an address that is new */
export function requireReachable(outbound: OutboundGuard, before: Settings, after: Settings): void {
  const { url } = after.sms;
  if (url !== null && url !== before.sms.url) usableAddress('url', () => outbound.requireUrl(url));
  const known = new Set(before.oauth.assertionIssuers.map(({ jwksUri }) => jwksUri));
  for (const [index, { jwksUri }] of after.oauth.assertionIssuers.entries()) {
    if (jwksUri === undefined || known.has(jwksUri)) continue;
    usableAddress(`assertionIssuers[${index}].jwksUri`, () => outbound.requireUrl(jwksUri));
  }
}

/** @throws ProblemError 422 where the settings would contradict each other */
export function requireSound(before: Settings, after: Settings, draft: Draft): void {
  if (draft.refused !== undefined) throw refused(draft.refused.reason, draft.refused.path);
  for (const rule of rules) {
    const reason = rule(before, after, draft);
    if (reason !== undefined) throw refused(reason);
  }
}
