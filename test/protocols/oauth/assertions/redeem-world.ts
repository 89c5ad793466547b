import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { newKey, type TestKey } from '../../../delivery/signals/receiver/test-issuer.ts';
import { OidcUpstream } from '../../../identity/federation/upstreams/oidc-upstream.ts';
import { type FederationSite, FederationWorld } from '../../../identity/federation/world.ts';
import { KeyHost } from '../clients/key-host.ts';
import { ClientScene, type MadeClient } from '../clients/scene.ts';
import { baseUrl } from '../in-process.ts';

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface AssertionWish {
  /** Over the usual claims; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: TestKey;
}

/** An organization that believes another server about the people who come from there. */
export class RedeemWorld {
  readonly federation: FederationWorld;
  readonly key: TestKey;
  readonly host: KeyHost;
  readonly #upstreams: OidcUpstream[] = [];

  private constructor(federation: FederationWorld, key: TestKey, host: KeyHost) {
    this.federation = federation;
    this.key = key;
    this.host = host;
  }

  static async start(): Promise<RedeemWorld> {
    const limits = { RELATA_LIMIT_RATE_PUBLIC: '0', RELATA_LIMIT_RATE_REFUSED: '0' };
    const federation = await FederationWorld.start(limits);
    const key = await newKey('other', 'ES256');
    return new RedeemWorld(federation, key, await KeyHost.open([{ ...key.jwk }]));
  }

  get now(): number {
    return this.federation.signIns.provider.service.clock.now();
  }

  async site(): Promise<RedeemSite> {
    const on = await this.federation.site();
    const upstream = await OidcUpstream.open({ redirectUri: baseUrl + on.callback('oidc') });
    this.#upstreams.push(upstream);
    const own = { type: 'oidc', name: 'Acme', clientId: 'relata', clientSecret: 'a secret between the two' };
    const provider = await on.configure({ ...own, issuerUrl: upstream.url });
    const scene = new ClientScene(on.organization);
    const wish = { grantTypes: [jwtBearer], scopes: ['docs:read', 'docs:write', 'openid', 'email'] };
    const site = new RedeemSite({ world: this, on, upstream, provider, scene, client: await scene.makeService(wish) });
    await site.believe();
    return site;
  }

  async stop(): Promise<void> {
    await this.federation.stop();
    await this.host.close();
    for (const upstream of this.#upstreams) await upstream.close();
  }
}

export class RedeemSite {
  readonly world: RedeemWorld;
  readonly on: FederationSite;
  readonly upstream: OidcUpstream;
  readonly scene: ClientScene;
  readonly client: MadeClient;
  /** Its number. */
  readonly provider: number;

  constructor(parts: Pick<RedeemSite, 'world' | 'on' | 'upstream' | 'scene' | 'client' | 'provider'>) {
    this.world = parts.world;
    this.on = parts.on;
    this.upstream = parts.upstream;
    this.scene = parts.scene;
    this.client = parts.client;
    this.provider = parts.provider;
  }

  get issuer(): string {
    return `${baseUrl}/orgs/${this.on.organization.organization.slug}`;
  }

  set(body: Readonly<Record<string, unknown>>) {
    return this.on.organization.org('PATCH', '/admin/settings/oauth', { body });
  }

  async believe(changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const issuer = { issuer: this.upstream.url, provider: 'oidc', jwksUri: this.world.host.url, ...changes };
    const answer = await this.set({ identityAssertions: true, assertionIssuers: [issuer] });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  /** Comes through the provider once, and is linked by it. Answers the user's id here. */
  async link(login: string): Promise<string> {
    this.upstream.accounts.set(login, { email: `${login}@acme.example`, email_verified: true, name: login });
    const browser = this.on.browser();
    const departure = await this.on.leave(browser, 'oidc');
    await browser.arrive(await this.upstream.signIn(departure, login), this.upstream.url);
    return String((await this.on.whoIsIn(browser))?.id);
  }

  assertion(sub: string, { claims = {}, header = {}, key = this.world.key }: AssertionWish = {}): Promise<string> {
    const iat = Math.floor(this.world.now / 1000);
    const all = {
      iss: this.upstream.url,
      sub,
      aud: this.issuer,
      client_id: this.client.id,
      jti: randomUUID(),
      iat,
      exp: iat + 300,
      scope: 'docs:read openid email',
      ...claims,
    };
    const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const protectedHeader = { alg: key.alg, kid: key.kid, typ: 'oauth-id-jag+jwt', ...header };
    return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key.privateKey);
  }

  redeem(assertion: string, more: Readonly<Record<string, string>> = {}, by = this.client) {
    const own = { client_id: by.id, client_secret: by.clientSecret };
    return this.scene.form('/oauth/token', { grant_type: jwtBearer, ...own, assertion, ...more });
  }
}
