import { createHmac } from 'node:crypto';
import type { ServerMetadata } from 'openid-client';
import { z } from 'zod';
import { type Claims, identityFrom } from './claims.ts';
import { authorizationUrl, type Checks, clientOf, exchangeCode, type UpstreamDependencies } from './code-flow.ts';
import { requiredSecret } from './openid.ts';
import { askForJson, type Reach } from './reach.ts';
import { type OpenProvider, type Upstream, UpstreamError } from './upstream.ts';

/** What a provider's own API says of who the token is of. */
export interface Told {
  readonly subject: string;
  readonly claims: Claims;
  readonly emailVerified: boolean;
  readonly runsDomain: boolean;
}

/** OAuth 2.0 without OpenID Connect: who has come is asked of an API of the provider's own. */
export interface PlainOAuthSpec {
  readonly server: ServerMetadata;
  readonly checks: Pick<Checks, 'pkce'>;
  /** As what it wants to be told who is likely to come. */
  readonly hint: (loginHint: string) => Readonly<Record<string, string>>;
  readonly who: (reach: Reach, provider: OpenProvider, accessToken: string) => Promise<Told>;
}

export function plainOAuthUpstream(dependencies: UpstreamDependencies, spec: PlainOAuthSpec): Upstream {
  const { server, who } = spec;
  const checks = { pkce: spec.checks.pkce, nonce: false };
  const client = (provider: OpenProvider) =>
    clientOf(dependencies, provider, server, { text: requiredSecret(provider), in: 'body' });
  return {
    method: 'social',
    answersBy: 'query',
    async request(provider, attempt, { loginHint }) {
      const hint = loginHint === undefined ? {} : spec.hint(loginHint);
      const parameters = { scope: provider.record.scopes.join(' '), ...hint };
      return authorizationUrl(client(provider), provider, attempt, checks, parameters);
    },
    async answer(provider, attempt, answer) {
      const tokens = await exchangeCode(client(provider), provider, attempt, checks, answer, false);
      const { claims, ...told } = await who(dependencies, provider, tokens.access_token);
      return identityFrom(provider.record, claims, { issuer: server.issuer, ...told });
    },
  };
}

const texts = z.string().max(4096).nullish();

function parsed<T>(schema: z.ZodType<T>, value: unknown, url: string): T {
  const read = schema.safeParse(value);
  if (!read.success) throw new UpstreamError('rejected', `${url} answered something else`, read.error);
  return read.data;
}

/** "REST API endpoints for users", with the version that is asked for. */
const githubUser = z.object({ id: z.int().positive(), login: z.string(), name: texts, avatar_url: texts });
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })).max(1000);

/** GitHub: the primary address, where it has been verified. The one in the profile is whatever somebody wrote there. */
export async function githubWho(reach: Reach, { record }: OpenProvider, accessToken: string): Promise<Told> {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    accept: 'application/vnd.github+json',
    'user-agent': 'relata',
    'x-github-api-version': '2022-11-28',
  };
  const url = 'https://api.github.com/user';
  const user = parsed(githubUser, await askForJson(reach, { url, headers }), url);
  const mayAsk = record.scopes.some((scope) => scope === 'user:email' || scope === 'user');
  const emails = mayAsk
    ? parsed(githubEmails, await askForJson(reach, { url: `${url}/emails`, headers }), `${url}/emails`)
    : [];
  const email = emails.find(({ primary, verified }) => primary && verified)?.email;
  return {
    subject: String(user.id),
    claims: { email, name: user.name ?? user.login, picture: user.avatar_url },
    emailVerified: email !== undefined,
    runsDomain: false,
  };
}

const facebookUser = z.object({
  id: z.string().regex(/^[0-9]{1,32}$/),
  email: texts,
  name: texts,
  first_name: texts,
  last_name: texts,
  picture: z.object({ data: z.object({ url: texts }) }).nullish(),
});

/** Facebook: "Graph API, user". It does not say whether an address was verified, and so none was. */
export async function facebookWho(reach: Reach, provider: OpenProvider, accessToken: string): Promise<Told> {
  const proof = createHmac('sha256', requiredSecret(provider)).update(accessToken).digest('hex');
  const url = `${facebookGraph}/me`;
  const fields = 'id,name,first_name,last_name,email,picture';
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const answer = await askForJson(reach, { url: `${url}?fields=${fields}&appsecret_proof=${proof}`, headers });
  const { id, email, name, first_name, last_name, picture } = parsed(facebookUser, answer, url);
  return {
    subject: id,
    claims: { email, name, given_name: first_name, family_name: last_name, picture: picture?.data.url },
    emailVerified: false,
    runsDomain: false,
  };
}

export const facebookGraph = 'https://graph.facebook.com/v21.0';
