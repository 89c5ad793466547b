import { expect, vi } from 'vitest';
import type { Purpose, Visitor } from '../../../src/identity/signin/index.ts';
import type { Organization } from '../../../src/kernel/organizations/index.ts';
import { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { mailBodies, type ReceivedMail, SmtpInbox } from '../../platform/smtp-inbox.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { newPerson, type Person } from '../../protocols/oauth/signing-in.ts';

let slugs = 0;

/** A service with mail, and one organization after the other: each test has its own. */
export class SignInWorld {
  readonly provider: ClockedProvider;
  readonly inbox: SmtpInbox;

  private constructor(provider: ClockedProvider, inbox: SmtpInbox) {
    this.provider = provider;
    this.inbox = inbox;
  }

  static async start(
    environment: Readonly<Record<string, string>> = {},
    given: Parameters<typeof ClockedProvider.start>[2] = {},
  ): Promise<SignInWorld> {
    const inbox = await SmtpInbox.open();
    const mail = { RELATA_SMTP_URL: inbox.url, RELATA_TRUSTED_PROXIES: '127.0.0.1' };
    return new SignInWorld(await ClockedProvider.start('first', { ...mail, ...environment }, given), inbox);
  }

  async organization(sections: Readonly<Record<string, object>> = {}): Promise<SignInSite> {
    const site = new SignInSite(this, await this.provider.neighbour(`site-${++slugs}`));
    for (const [section, body] of Object.entries(sections)) await site.set(section, body);
    return site;
  }

  async stop(): Promise<void> {
    await this.provider.service.stop();
    await this.inbox.close();
  }
}

/** An organization whose pages are visited. */
export class SignInSite {
  readonly world: SignInWorld;
  readonly provider: ClockedProvider;

  constructor(world: SignInWorld, provider: ClockedProvider) {
    this.world = world;
    this.provider = provider;
  }

  get base(): string {
    return new URL(this.provider.issuer).pathname;
  }

  /** Writes a section of the organization's settings, as far as it is given. */
  async set(section: string, body: object): Promise<void> {
    const { organization } = this.provider;
    const path = section === 'tenant' ? '/admin/settings' : `/admin/settings/${section}`;
    const made =
      section === 'tenant'
        ? await organization.tenant('PUT', path, { body })
        : await organization.org('PATCH', path, { body });
    if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  }

  browser(address?: string, language?: string): FormBrowser {
    const { issuer, listensAt } = this.provider;
    return new FormBrowser({
      origin: new URL(issuer).origin,
      listensAt,
      ...(address === undefined ? {} : { address }),
      ...(language === undefined ? {} : { language }),
    });
  }

  /** What the service makes of a browser's cookies. */
  visitor(browser: FormBrowser): Visitor {
    const url = new URL(`${this.provider.issuer}/signin`);
    const cookie = browser.cookies.header(url, { crossSite: false, method: 'GET' });
    const { signIn } = this.provider.service.signIn;
    return signIn.visitor({ header: (name) => (name === 'cookie' ? cookie : '') }, this.#organization);
  }

  /** Begins a sign-in as an endpoint of the service does, and goes to its first page. */
  async begin(browser: FormBrowser, purpose: Partial<Purpose> = {}): Promise<Page> {
    const visitor = this.visitor(browser);
    const { signIn } = this.provider.service.signIn;
    const returnTo = `${this.base}/account`;
    const reply = visitor.dressed(await signIn.begin(this.#organization, visitor, { returnTo, ...purpose }));
    const headers = reply.more ?? [];
    const values = (wanted: string) => headers.filter((_, at) => at % 2 === 1 && headers[at - 1] === wanted);
    browser.cookies.take(new URL(`${this.provider.issuer}/signin`), values('set-cookie'));
    return browser.open(values('location')[0] ?? '');
  }

  /** The token of a form to this path, as a page for this browser has it. */
  csrf(browser: FormBrowser, action: string): string {
    return this.visitor(browser).csrf(action);
  }

  get #organization(): Organization {
    return this.provider.organization.organization;
  }

  async sessions(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const answer = await this.provider.organization.org('GET', '/admin/sessions');
    return answer.at('data.data') as readonly Readonly<Record<string, unknown>>[];
  }

  isSignedIn(browser: FormBrowser): boolean {
    return this.visitor(browser).session !== undefined;
  }

  person(profile: Readonly<Record<string, unknown>> = {}): Promise<Person> {
    return newPerson(this.provider, profile);
  }

  /** Every mail to an address that has come so far. */
  mails(to: string): readonly ReceivedMail[] {
    return this.world.inbox.mails.filter((mail) => mail.to.includes(to));
  }

  /** The link of the newest mail to an address, once as many have come. */
  async mailedLink(to: string, count = 1): Promise<string> {
    await vi.waitFor(() => expect(this.mails(to).length).toBeGreaterThanOrEqual(count), { timeout: 60_000 });
    const [url] =
      /https?:\/\/(?:id\.example\.test|127\.0\.0\.1)\/\S+/.exec(mailBodies(this.mails(to).at(-1) as ReceivedMail)) ??
      [];
    if (url === undefined) throw new Error(`no link in the mail to ${to}`);
    return url;
  }

  /** Types of the audit entries, the newest first. */
  async logged(eventType: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const answer = await this.provider.organization.org('GET', `/admin/audit-logs?eventType=${eventType}&limit=100`);
    return answer.at('data.data') as readonly Readonly<Record<string, unknown>>[];
  }
}
