// the whole service first: its features know each other, and begin with one of them
import '../in-process.ts';

import { clientRecords } from '../../../../src/protocols/oauth/clients/index.ts';
import { issueTokens } from '../../../../src/protocols/oauth/tokens/index.ts';
import { facts, type NewUser, type SignedIn } from '../../../identity/sessions/in-process-service.ts';
import { baseUrl, type ClockedProvider } from '../in-process.ts';
import type { RelyingParty } from '../relying-party.ts';

/** What a user agreed to, in a session of their own. */
export interface Agreed {
  readonly session: SignedIn;
  readonly access: string;
  readonly refresh: string;
}

/**
 * Signs a user in and issues what a grant issues to which they agreed, as the code of the grants does: for tests of what
 * becomes of tokens, which need no pages.
 */
export async function agreed(
  { service, organization }: ClockedProvider,
  party: Pick<RelyingParty, 'id'>,
  user: NewUser,
  scopes: readonly string[],
  more: Partial<Parameters<typeof issueTokens>[2]> = {},
): Promise<Agreed> {
  const session = await organization.signIn(user);
  const { store } = organization.organization;
  const client = service.read(() => clientRecords.get(store, party.id));
  if (client === undefined) throw new Error(`there is no client ${party.id}`);
  const dependencies = {
    ...service.keyDependencies(),
    keys: service.signingKeys(),
    tokens: service.signedIn.tokens,
    baseUrl,
  };
  const order = {
    client,
    userId: user.id,
    sessionId: session.id,
    scopes,
    refreshes: true,
    openId: { authTime: service.clock.now(), amr: ['pwd'], nonce: 'n' },
    ...more,
  };
  const response = await issueTokens(dependencies, organization.organization, order, facts);
  return { session, access: response.access_token, refresh: response.refresh_token ?? '' };
}

/** The token endpoint's answer to a refresh token, whatever it is. */
export async function refreshedAt(
  provider: ClockedProvider,
  { id, secret }: RelyingParty,
  token: string,
  more: Readonly<Record<string, string>> = {},
) {
  const own = { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
  const answer = await provider.form('token', { grant_type: 'refresh_token', refresh_token: token, ...own, ...more });
  const text = (name: string) => (typeof answer.at(name) === 'string' ? answer.text(name) : '');
  return {
    status: answer.status,
    error: text('error'),
    access: text('access_token'),
    refresh: text('refresh_token'),
    scope: text('scope'),
    body: answer.body,
  };
}
