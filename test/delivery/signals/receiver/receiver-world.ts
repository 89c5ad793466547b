import type { FormBrowser } from '../../../browser/form-browser.ts';
import { OidcUpstream } from '../../../identity/federation/upstreams/oidc-upstream.ts';
import { type FederationSite, FederationWorld } from '../../../identity/federation/world.ts';
import type { InProcessOrganization, SignedIn } from '../../../identity/sessions/in-process-service.ts';
import { baseUrl } from '../../../protocols/oauth/in-process.ts';
import type { Answer } from '../../../server/running-service.ts';
import { caep } from '../transmitter-world.ts';
import { TestIssuer, type TokenWish } from './test-issuer.ts';

export const revoked = `${caep}/session-revoked`;
export const changed = `${caep}/credential-change`;

/** Somebody who has come through the provider. */
export interface Linked {
  readonly id: string;
  readonly browser: FormBrowser;
  /** As the provider names them. */
  readonly subject: { readonly format: 'iss_sub'; readonly iss: string; readonly sub: string };
}

/** Organizations that receive security events: the service, their provider of sign-in, and an issuer. */
export class ReceiverWorld {
  readonly federation: FederationWorld;
  readonly issuer: TestIssuer;
  readonly #upstreams: OidcUpstream[] = [];

  private constructor(federation: FederationWorld, issuer: TestIssuer) {
    this.federation = federation;
    this.issuer = issuer;
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<ReceiverWorld> {
    const federation = await FederationWorld.start({ RELATA_LIMIT_RATE_PUBLIC: '0', ...environment });
    const { service } = federation.signIns.provider;
    return new ReceiverWorld(federation, await TestIssuer.open(() => service.clock.now()));
  }

  /** An organization with a provider of sign-in that believes the issuer about its people. */
  async site(issuer: Readonly<Record<string, unknown>> = {}): Promise<ReceiverSite> {
    const on = await this.federation.site();
    const upstream = await OidcUpstream.open({ redirectUri: baseUrl + on.callback('oidc') });
    this.#upstreams.push(upstream);
    await on.configure({
      type: 'oidc',
      name: 'Acme',
      clientId: 'relata',
      clientSecret: 'a secret between the two',
      issuerUrl: upstream.url,
    });
    const site = new ReceiverSite(this, on, upstream);
    await site.believe(issuer);
    return site;
  }

  async stop(): Promise<void> {
    await this.federation.stop();
    await this.issuer.close();
    for (const upstream of this.#upstreams) await upstream.close();
  }
}

export class ReceiverSite {
  readonly world: ReceiverWorld;
  readonly on: FederationSite;
  readonly upstream: OidcUpstream;
  /** The record of the issuer, and its secret. */
  id = '';
  secret: string | null = null;

  constructor(world: ReceiverWorld, on: FederationSite, upstream: OidcUpstream) {
    this.world = world;
    this.on = on;
    this.upstream = upstream;
  }

  get organization(): InProcessOrganization {
    return this.on.organization;
  }

  get service() {
    return this.organization.service;
  }

  async believe(given: Readonly<Record<string, unknown>>): Promise<void> {
    const { url, jwksUri } = this.world.issuer;
    const body = { name: 'Acme', issuer: url, audience: 'receiver', provider: 'oidc', jwksUri, ...given };
    const made = await this.organization.tenant('POST', '/admin/signals/issuers', { body });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    this.id = made.text('data.id');
    this.secret = made.at('data.secret') as string | null;
  }

  /** The issuer as administrators see it. */
  async shown(): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.organization.tenant('GET', `/admin/signals/issuers/${this.id}`);
    return answer.at('data') as Readonly<Record<string, unknown>>;
  }

  /** Comes through the provider, with a session in a browser. */
  async come(login: string): Promise<Linked> {
    this.upstream.accounts.set(login, { email: `${login}@acme.example`, email_verified: true, name: login });
    const browser = this.on.browser();
    const departure = await this.on.leave(browser, 'oidc');
    await browser.arrive(await this.upstream.signIn(departure, login), this.upstream.url);
    const id = String((await this.on.whoIsIn(browser))?.id);
    return { id, browser, subject: { format: 'iss_sub', iss: this.upstream.url, sub: login } };
  }

  /** Another session of somebody, that begins now. */
  session({ id }: Pick<Linked, 'id'>): Promise<SignedIn> {
    return this.organization.signIn({ id, email: '' });
  }

  isIn({ browser }: Linked): boolean {
    return this.on.site.isSignedIn(browser);
  }

  push(token: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { slug } = this.organization.organization;
    return this.service.call('POST', `/orgs/${slug}/api/v1/signals/receive`, {
      headers: { 'content-type': 'application/secevent+jwt', ...headers },
      body: token,
    });
  }

  /** Signs an event about a subject, and pushes it. */
  async send(subject: object | undefined, uri = revoked, wish: TokenWish & { event?: object } = {}): Promise<Answer> {
    const { event = {}, claims, ...rest } = wish;
    const said = { sub_id: subject, events: { [uri]: event }, ...claims };
    return this.push(await this.world.issuer.sign({ ...rest, claims: said }));
  }

  logged(action: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.organization
      .org('GET', `/admin/audit-logs?action=${action}&limit=100`)
      .then((answer) => answer.at('data.data') as readonly Readonly<Record<string, unknown>>[]);
  }
}
