import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { createLog } from '../../../src/platform/index.ts';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';
import type { KnownProvider } from './upstreams/conducts.ts';
import { KnownProviders, type Visit } from './upstreams/known-providers.ts';

const appleKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** What an administrator configures for each of the well-known providers. */
export const configurations: Readonly<Record<KnownProvider, Readonly<Record<string, unknown>>>> = {
  google: secretOf('google'),
  microsoft: secretOf('microsoft'),
  linkedin: secretOf('linkedin'),
  github: secretOf('github'),
  facebook: secretOf('facebook'),
  apple: {
    type: 'apple',
    clientId: 'client of apple',
    teamId: 'TEAM123456',
    keyId: 'KEY1234567',
    privateKey: appleKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  },
};

function secretOf(type: KnownProvider) {
  return { type, clientId: `client of ${type}`, clientSecret: `secret of ${type}` };
}

/** The service, and the well-known providers, both real and on the loopback. */
export class FederationWorld {
  readonly signIns: SignInWorld;
  readonly known: KnownProviders;
  /** Why nobody came in, as the log has it. */
  readonly reasons: readonly string[];

  private constructor(signIns: SignInWorld, known: KnownProviders, reasons: readonly string[]) {
    this.signIns = signIns;
    this.known = known;
    this.reasons = reasons;
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<FederationWorld> {
    const known = await KnownProviders.open();
    known.applePublicKey = String(appleKeys.publicKey.export({ type: 'spki', format: 'pem' }));
    const reasons: string[] = [];
    const log = createLog({ level: 'warn', write: (line) => reasons.push(String(JSON.parse(line).reason)) });
    const settings = { RELATA_ALLOW_PRIVATE_URLS: '1', ...environment };
    return new FederationWorld(await SignInWorld.start(settings, { route: known.route, log }), known, reasons);
  }

  async stop(): Promise<void> {
    await this.signIns.stop();
    await this.known.close();
  }

  /** An organization with providers. */
  async site(...providers: readonly Readonly<Record<string, unknown>>[]): Promise<FederationSite> {
    const site = new FederationSite(this, await this.signIns.organization());
    for (const provider of providers) await site.configure(provider);
    return site;
  }
}

export class FederationSite {
  readonly world: FederationWorld;
  readonly site: SignInSite;

  constructor(world: FederationWorld, site: SignInSite) {
    this.world = world;
    this.site = site;
  }

  get base(): string {
    return this.site.base;
  }

  get organization() {
    return this.site.provider.organization;
  }

  callback(provider: string): string {
    return `${this.base}/api/v1/oauth/social/${provider}/callback`;
  }

  /** Answers the number of the provider. */
  async configure(body: Readonly<Record<string, unknown>>): Promise<number> {
    const made = await this.organization.tenant('POST', '/admin/social-providers', { body });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return Number(made.at('data.id'));
  }

  async change(provider: number, body: Readonly<Record<string, unknown>>): Promise<void> {
    const made = await this.organization.tenant('PUT', `/admin/social-providers/${provider}`, { body });
    if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  }

  browser(): FormBrowser {
    return this.site.browser();
  }

  /** From the page of sign-in to the provider: the address to which the browser is sent. */
  async leave(browser: FormBrowser, provider: string, fresh = true): Promise<URL> {
    const page = await this.site.begin(browser, { fresh });
    const left = await browser.open(`${this.base}/signin/social/${provider}?flow=${page.url.searchParams.get('flow')}`);
    return left.left.url;
  }

  /** The whole way through one of the well-known providers. */
  async signIn(browser: FormBrowser, provider: KnownProvider, visit: Visit): Promise<Page> {
    const departure = await this.leave(browser, provider);
    return browser.arrive(this.world.known.signIn(departure, visit), departure.origin);
  }

  /** Who is signed in in this browser. */
  async whoIsIn(browser: FormBrowser): Promise<Readonly<Record<string, unknown>> | undefined> {
    const id = this.site.visitor(browser).session?.user.id;
    if (id === undefined) return undefined;
    return (await this.organization.tenant('GET', `/admin/users/${id}`)).at('data') as Record<string, unknown>;
  }

  async identities(userId: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const answer = await this.organization.tenant('GET', `/admin/users/${userId}/identities`);
    expect(answer.status).toBe(200);
    return answer.at('data') as readonly Readonly<Record<string, unknown>>[];
  }

  async session(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const answer = await this.organization.tenant('GET', '/admin/sessions');
    return (answer.at('data') as readonly Readonly<Record<string, unknown>>[])[0];
  }

  /** A user with a confirmed address. */
  async user(email: string, body: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const made = await this.organization.org('POST', '/admin/users', { body: { email, emailVerified: true, ...body } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.text('data.data.id');
  }
}
