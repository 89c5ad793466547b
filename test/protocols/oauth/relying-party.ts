import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Answer } from '../../server/running-service.ts';

/** A provider as its clients and its administrator reach it. */
export interface ReachedProvider {
  /** As it calls itself. */
  readonly issuer: string;
  /** The origin where it listens, which may be another than the issuer's. */
  readonly listensAt: string;
  /** The provider's clock in milliseconds, where it is not everybody's. */
  now?(): number;
  /** A call of the administrator in the tenant family. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** What is registered by `POST /admin/clients` beyond a name and the redirect URI. */
export type Registration = Readonly<Record<string, unknown>>;

export interface AuthorizationRequest {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export type Tokens = oauth.TokenEndpointResponse & { readonly claims: oauth.IDToken | undefined };

export const insecure = { [oauth.allowInsecureRequests]: true } as const;

/** An application that signs people in, by oauth4webapi and openid-client as they are. */
export class RelyingParty {
  readonly server: oauth.AuthorizationServer;
  readonly id: string;
  readonly secret: string | undefined;
  readonly redirectUri: string;
  readonly #provider: ReachedProvider;

  /** How it proves itself at the token endpoint. */
  authentication: oauth.ClientAuth;

  private constructor(
    provider: ReachedProvider,
    server: oauth.AuthorizationServer,
    registered: {
      readonly id: string;
      readonly secret: string | undefined;
      readonly redirectUri: string;
      readonly authentication?: oauth.ClientAuth | undefined;
    },
  ) {
    this.#provider = provider;
    this.server = server;
    this.id = registered.id;
    this.secret = registered.secret;
    this.redirectUri = registered.redirectUri;
    const known = registered.secret === undefined ? oauth.None() : oauth.ClientSecretBasic(registered.secret);
    this.authentication = registered.authentication ?? known;
  }

  /** Registered by an administrator, with every scope of OpenID Connect, codes and refresh tokens, if nothing else is said. */
  static async register(provider: ReachedProvider, registration: Registration = {}): Promise<RelyingParty> {
    const body = { name: 'An application', redirectUris: ['https://app.example/callback'], ...registration };
    const made = await provider.admin('POST', '/admin/clients', body);
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const secret = made.at('data.clientSecret');
    return new RelyingParty(provider, await discover(provider), {
      id: made.text('data.clientId'),
      secret: typeof secret === 'string' ? secret : undefined,
      redirectUri: String(body.redirectUris[0]),
    });
  }

  /** Registers itself, where the provider is open to that (RFC 7591). */
  static async registerItself(
    provider: ReachedProvider,
    metadata: Registration = {},
    authentication?: oauth.ClientAuth,
  ): Promise<RelyingParty> {
    const server = await discover(provider);
    const all = { redirect_uris: ['https://app.example/callback'], ...metadata };
    const options = { ...insecure, [oauth.customFetch]: fetchOf(provider) };
    const response = await oauth.dynamicClientRegistrationRequest(server, all as never, options);
    const made = await oauth.processDynamicClientRegistrationResponse(response);
    const secret = typeof made.client_secret === 'string' ? made.client_secret : undefined;
    const redirectUri = String(all.redirect_uris[0]);
    return new RelyingParty(provider, server, { id: made.client_id, secret, redirectUri, authentication });
  }

  /** One that is a document at its id, or is known for another reason. */
  static async known(
    provider: ReachedProvider,
    id: string,
    redirectUri: string,
    authentication: oauth.ClientAuth = oauth.None(),
  ): Promise<RelyingParty> {
    return new RelyingParty(provider, await discover(provider), { id, secret: undefined, redirectUri, authentication });
  }

  /** The same application after a restart: it has forgotten the provider's keys. */
  async restarted(): Promise<RelyingParty> {
    const { id, secret, redirectUri, authentication } = this;
    const server = await discover(this.#provider);
    return new RelyingParty(this.#provider, server, { id, secret, redirectUri, authentication });
  }

  /** As the library knows it, by the provider's clock. */
  get client(): oauth.Client {
    const { now } = this.#provider;
    const skewMs = now === undefined ? 0 : now.call(this.#provider) - Date.now();
    return { client_id: this.id, [oauth.clockSkew]: Math.floor(skewMs / 1000) };
  }

  /** What makes its requests reach the provider. */
  get options() {
    return { ...insecure, [oauth.customFetch]: fetchOf(this.#provider) };
  }

  /** The address to send a browser to. A parameter that is undefined is left out, be it required. */
  async begin(parameters: Readonly<Record<string, string | undefined>> = {}): Promise<AuthorizationRequest> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = oauth.generateRandomNonce();
    const all: Record<string, string | undefined> = {
      client_id: this.id,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope: 'openid',
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    };
    const url = new URL(String(this.server.authorization_endpoint));
    for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.append(name, value);
    return { url, state, nonce, verifier };
  }

  /** Checks the answer at the redirect URI as the library does (state, `iss`, `error`). */
  callback({ state }: AuthorizationRequest, url: URL): URLSearchParams {
    return oauth.validateAuthResponse(this.server, this.client, url, state);
  }

  /** Turns the answer at the redirect URI into tokens; the ID token is proved, its signature included. */
  async finish(request: AuthorizationRequest, url: URL): Promise<Tokens> {
    const response = await this.redeem(request, this.callback(request, url));
    const nonce = request.url.searchParams.get('nonce') ?? oauth.expectNoNonce;
    const isOpenId = (request.url.searchParams.get('scope') ?? '').split(' ').includes('openid');
    const tokens = await oauth.processAuthorizationCodeResponse(this.server, this.client, response, {
      ...(isOpenId ? { expectedNonce: nonce, requireIdToken: true } : {}),
    });
    if (tokens.id_token !== undefined) {
      await oauth.validateApplicationLevelSignature(this.server, response, this.options);
    }
    return { ...tokens, claims: oauth.getValidatedIdTokenClaims(tokens) };
  }

  /** The token endpoint's answer to a code, as it comes. */
  redeem({ verifier }: AuthorizationRequest, callback: URLSearchParams): Promise<Response> {
    const { server, client, authentication, redirectUri, options } = this;
    return oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      callback,
      redirectUri,
      verifier,
      options,
    );
  }

  async refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse> {
    const { server, client, authentication, options } = this;
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options);
    return oauth.processRefreshTokenResponse(server, client, response);
  }

  async userInfo(accessToken: string, subject: string): Promise<oauth.UserInfoResponse> {
    const response = await oauth.userInfoRequest(this.server, this.client, accessToken, this.options);
    return oauth.processUserInfoResponse(this.server, this.client, subject, response);
  }

  /** A form to an endpoint of the provider, without the library: for what it would never send. */
  post(endpoint: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
    return fetchOf(this.#provider)(endpoint, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  /** The same registration for openid-client, which finds out about the provider by itself. */
  configuration(): Promise<openid.Configuration> {
    const { issuer } = this.#provider;
    const authentication = this.secret === undefined ? openid.None() : openid.ClientSecretBasic(this.secret);
    return openid.discovery(new URL(issuer), this.id, undefined, authentication, {
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: fetchOf(this.#provider),
    });
  }
}

async function discover(provider: ReachedProvider): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(provider.issuer);
  const response = await oauth.discoveryRequest(issuer, { ...insecure, [oauth.customFetch]: fetchOf(provider) });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Reaches a provider that listens elsewhere than it believes. */
export function fetchOf({ issuer, listensAt }: ReachedProvider) {
  const { origin } = new URL(issuer);
  return (address: string, init: object): Promise<Response> => {
    const url = new URL(address);
    const there = url.origin === origin ? new URL(url.pathname + url.search, listensAt) : url;
    return fetch(there, init as RequestInit);
  };
}
