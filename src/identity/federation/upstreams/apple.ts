import { importPKCS8, SignJWT } from 'jose';
import type { Claims } from './claims.ts';
import type { UpstreamDependencies } from './code-flow.ts';
import { type AnswerParameters, type OpenProvider, UpstreamError } from './upstream.ts';

const LIFETIME_S = 300;

/** Apple's client secret: a token that the team's key signs ("Creating a client secret"). It is made for each use. */
export async function appleSecret({ clock }: UpstreamDependencies, { record, secrets }: OpenProvider): Promise<string> {
  const { teamId, keyId } = record.details;
  const { privateKey } = secrets;
  if (teamId === undefined || keyId === undefined || privateKey === undefined) {
    throw new UpstreamError('misconfigured', 'the provider lacks teamId, keyId or privateKey');
  }
  const now = Math.floor(clock.now() / 1000);
  const token = new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(record.clientId)
    .setAudience('https://appleid.apple.com')
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_S);
  try {
    return await token.sign(await importPKCS8(privateKey, 'ES256'));
  } catch (error) {
    throw new UpstreamError('misconfigured', 'privateKey does not sign with ES256', error);
  }
}

const USER_LENGTH_MAX = 2048;

/** Who comes for the first time brings a name along, as JSON that nobody has signed. */
export function appleNames({ user }: AnswerParameters): Claims {
  if (user === undefined || user.length > USER_LENGTH_MAX) return {};
  try {
    const { name } = JSON.parse(user) as { name?: { firstName?: unknown; lastName?: unknown } };
    const { firstName: given_name, lastName: family_name } = name ?? {};
    const dependencies = [given_name, family_name].filter((part) => typeof part === 'string' && part !== '');
    return { given_name, family_name, ...(dependencies.length === 0 ? {} : { name: dependencies.join(' ') }) };
  } catch {
    return {};
  }
}
