import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Claims = Readonly<Record<string, unknown>>;
/** What one of the well-known providers does, as its documentation has it. */
export interface Conduct {
  readonly issuer: string;
  readonly authorize: string;
  readonly token: string;
  readonly keys?: string;
  /** Parameters that it wants at its authorization endpoint, with what they must be. */
  readonly wants: Readonly<Record<string, RegExp>>;
  /** How the browser comes back. */
  readonly answers: 'query' | 'form';
  /** Other addresses: what they answer to whom a token is of. */
  readonly apis: Readonly<Record<string, (claims: Claims, request: Request) => unknown>>;
  readonly hasIdToken: boolean;
}

const s256 = { code_challenge: /^[\w-]{43}$/, code_challenge_method: /^S256$/ };
export const microsoft = 'https://login.microsoftonline.com';
export const directory = '7d1a9e3c-8b0f-4f0e-9a55-0d2f4c1e6b77';

export const conducts = {
  google: {
    issuer: 'https://accounts.google.com',
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    keys: 'https://www.googleapis.com/oauth2/v3/certs',
    wants: { scope: /^openid profile email$/, nonce: /./, ...s256 },
    answers: 'query',
    apis: {},
    hasIdToken: true,
  },
  microsoft: {
    issuer: `${microsoft}/${directory}/v2.0`,
    authorize: `${microsoft}/common/oauth2/v2.0/authorize`,
    token: `${microsoft}/common/oauth2/v2.0/token`,
    keys: `${microsoft}/common/discovery/v2.0/keys`,
    wants: { scope: /^openid profile email$/, nonce: /./, ...s256 },
    answers: 'query',
    apis: {},
    hasIdToken: true,
  },
  apple: {
    issuer: 'https://appleid.apple.com',
    authorize: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
    keys: 'https://appleid.apple.com/auth/keys',
    wants: { scope: /^name email$/, response_mode: /^form_post$/, nonce: /./ },
    answers: 'form',
    apis: {},
    hasIdToken: true,
  },
  linkedin: {
    issuer: 'https://www.linkedin.com/oauth',
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    keys: 'https://www.linkedin.com/oauth/openid/jwks',
    wants: { scope: /^openid profile email$/ },
    answers: 'query',
    apis: { 'https://api.linkedin.com/v2/userinfo': (claims) => claims },
    hasIdToken: true,
  },
  github: {
    issuer: 'https://github.com',
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    wants: { scope: /^user:email read:user$/, ...s256 },
    answers: 'query',
    apis: {
      'https://api.github.com/user': ({ emails: _, ...user }) => user,
      'https://api.github.com/user/emails': ({ emails }) => emails,
    },
    hasIdToken: false,
  },
  facebook: {
    issuer: 'https://www.facebook.com',
    authorize: 'https://www.facebook.com/v21.0/dialog/oauth',
    token: 'https://graph.facebook.com/v21.0/oauth/access_token',
    wants: { scope: /^public_profile email$/ },
    answers: 'query',
    apis: { 'https://graph.facebook.com/v21.0/me': facebookUser },
    hasIdToken: false,
  },
} as const satisfies Readonly<Record<string, Conduct>>;

export type KnownProvider = keyof typeof conducts;

/** Everything that the providers are asked at. */
export const hosts: ReadonlySet<string> = new Set(
  Object.values(conducts as Readonly<Record<string, Conduct>>).flatMap(({ token, keys, apis }) =>
    [token, keys ?? token, ...Object.keys(apis)].map((url) => new URL(url).host),
  ),
);

interface Request {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly token: string;
}

function facebookUser(claims: Claims, { url, token }: Request): unknown {
  const fields = url.searchParams.get('fields')?.split(',') ?? [];
  const proof = createHmac('sha256', 'secret of facebook').update(token).digest('hex');
  if (url.searchParams.get('appsecret_proof') !== proof) throw new Error('appsecret_proof');
  return Object.fromEntries(Object.entries(claims).filter(([name]) => fields.includes(name)));
}
