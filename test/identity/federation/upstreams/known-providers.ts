import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, importSPKI, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Route } from '../../../../src/identity/federation/index.ts';
import { type Claims, type Conduct, conducts, directory, hosts, type KnownProvider, microsoft } from './conducts.ts';

type Parameters = Readonly<Record<string, string>>;

/** The form or the address with which a provider sends a browser back. */
export interface WayBack {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly fields: URLSearchParams;
}

interface Granted {
  readonly provider: KnownProvider;
  readonly query: Parameters;
  readonly claims: Claims;
}

/** Who has come, and what the provider does differently from a good one. */
export interface Visit {
  readonly claims: Claims;
  /** Parameters of the answer, beside those that belong there. */
  readonly answer?: Parameters;
  readonly sign?: (payload: JWTPayload, provider: KnownProviders) => Promise<string>;
  readonly token?: Claims;
}

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** All of the well-known providers behind one server on the loopback: by `route` the service reaches them there. */
export class KnownProviders {
  /** Addresses that were asked, in order. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #codes = new Map<string, Granted & { readonly visit: Visit }>();
  readonly #tokens = new Map<string, Granted>();
  #keys: Keys;
  #kid = 'one';
  #codeNumber = 0;
  /** Of apple's client. */
  applePublicKey = '';

  private constructor(keys: Keys) {
    this.#keys = keys;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: Error) => {
        json(response, 400, { error: 'invalid_request', error_description: error.message });
      });
    });
  }

  static async open(): Promise<KnownProviders> {
    const known = new KnownProviders(await generateKeyPair('RS256'));
    await new Promise<void>((resolve) => known.#server.listen(0, '127.0.0.1', () => resolve()));
    return known;
  }

  readonly route: Route = (url) => {
    const { host, pathname, search } = new URL(url);
    return hosts.has(host) ? `${this.url}/${host}${pathname}${search}` : url;
  };

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('nobody listens');
    return `http://127.0.0.1:${address.port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Signs with another key from now on, and publishes that one alone. */
  async rotate(): Promise<void> {
    this.#keys = await generateKeyPair('RS256');
    this.#kid = `${this.#kid}-next`;
  }

  sign(payload: JWTPayload, key: Keys['privateKey'] = this.#keys.privateKey): Promise<string> {
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: this.#kid }).sign(key);
  }

  /** Somebody signs in at the provider, to which `departure` has led, and is sent back. */
  signIn(departure: URL, visit: Visit): WayBack {
    const provider = this.#providerOf(departure);
    const { wants, answers }: Conduct = conducts[provider];
    const query = Object.fromEntries(departure.searchParams);
    for (const [name, wanted] of Object.entries({ response_type: /^code$/, client_id: /./, state: /./, ...wants })) {
      if (!wanted.test(query[name] ?? '')) throw new Error(`${provider}: ${name} is ${query[name]}`);
    }
    const code = `code-${++this.#codeNumber}`;
    this.#codes.set(code, { provider, query, claims: visit.claims, visit });
    return back(answers, query, { code, state: query.state ?? '', ...visit.answer });
  }

  /** Somebody does not want to. */
  refuse(departure: URL, error: string): WayBack {
    const query = Object.fromEntries(departure.searchParams);
    return back(conducts[this.#providerOf(departure)].answers, query, { error, state: query.state ?? '' });
  }

  #providerOf(departure: URL): KnownProvider {
    const asked = departure.origin + departure.pathname.replace(directory, 'common');
    const names = Object.keys(conducts) as KnownProvider[];
    const found = names.find((name) => conducts[name].authorize === asked);
    if (found === undefined) throw new Error(`${departure} is of no provider`);
    return found;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(`https:/${request.url}`);
    const address = url.origin + url.pathname;
    this.asked.push(address);
    if (address === `${microsoft}/common/v2.0/.well-known/openid-configuration`)
      return discovered(response, '{tenantid}');
    if (address === `${microsoft}/${directory}/v2.0/.well-known/openid-configuration`)
      return discovered(response, directory);
    const names = Object.keys(conducts) as KnownProvider[];
    const publishing = names.find((name) => (conducts[name] as Conduct).keys === address);
    if (publishing !== undefined) {
      const key = { ...(await exportJWK(this.#keys.publicKey)), kid: this.#kid, use: 'sig', alg: 'RS256' };
      return json(response, 200, { keys: [key] });
    }
    const granting = names.find((name) => conducts[name].token === address);
    if (granting !== undefined) return json(response, 200, await this.#grant(granting, request));
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const granted = this.#tokens.get(token);
    const api = granted && (conducts[granted.provider] as Conduct).apis[address];
    if (api === undefined || granted === undefined) return json(response, 404, { message: 'Not Found' });
    return json(response, 200, api(granted.claims, { url, headers: request.headers, token }));
  }

  async #grant(provider: KnownProvider, request: IncomingMessage): Promise<unknown> {
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    const { code = '', client_secret: secret = '' } = form;
    const granted = this.#codes.get(code);
    if (granted === undefined) throw new Error('no such code');
    this.#codes.delete(code);
    const { query, claims, visit } = granted;
    if (granted.provider !== provider) throw new Error('a code of another provider');
    if (form.grant_type !== 'authorization_code' || form.redirect_uri !== query.redirect_uri)
      throw new Error('redirect_uri');
    if (form.client_id !== query.client_id) throw new Error('client_id');
    if (query.code_challenge !== undefined && s256Of(form.code_verifier ?? '') !== query.code_challenge)
      throw new Error('pkce');
    await this.#requireSecret(provider, secret, form.client_id ?? '');
    const token = `token-${code}`;
    this.#tokens.set(token, granted);
    const issued = { access_token: token, token_type: 'bearer', expires_in: 3600, ...visit.token };
    const { issuer, hasIdToken } = conducts[provider];
    if (!hasIdToken) return issued;
    const now = Math.floor(Date.now() / 1000);
    const nonce = query.nonce === undefined ? {} : { nonce: query.nonce };
    const payload = { iss: issuer, aud: form.client_id ?? '', iat: now, exp: now + 3600, ...nonce, ...claims };
    return { ...issued, id_token: await (visit.sign ?? ((claimed) => this.sign(claimed)))(payload, this) };
  }

  async #requireSecret(provider: KnownProvider, secret: string, clientId: string): Promise<void> {
    if (provider !== 'apple') {
      if (secret !== `secret of ${provider}`) throw new Error('client_secret');
      return;
    }
    await jwtVerify(secret, await importSPKI(this.applePublicKey, 'ES256'), {
      algorithms: ['ES256'],
      issuer: 'TEAM123456',
      subject: clientId,
      audience: 'https://appleid.apple.com',
      clockTolerance: 120,
    });
  }
}

function back(answers: 'query' | 'form', query: Parameters, answer: Parameters): WayBack {
  const url = new URL(query.redirect_uri ?? '');
  const fields = new URLSearchParams(answer);
  if (answers === 'form') return { method: 'POST', url, fields };
  for (const [name, value] of fields) url.searchParams.set(name, value);
  return { method: 'GET', url, fields: new URLSearchParams() };
}

function discovered(response: ServerResponse, tenant: string): void {
  json(response, 200, {
    issuer: `${microsoft}/${tenant}/v2.0`,
    authorization_endpoint: `${microsoft}/${tenant === directory ? directory : 'common'}/oauth2/v2.0/authorize`,
    token_endpoint: `${microsoft}/common/oauth2/v2.0/token`,
    jwks_uri: `${microsoft}/common/discovery/v2.0/keys`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
    subject_types_supported: ['pairwise'],
  });
}

const s256Of = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
