import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { SmtpInbox } from '../platform/smtp-inbox.ts';
import { Provider } from '../protocols/oauth/world.ts';
import { nextPort } from '../server/next-port.ts';
import { RunningService } from '../server/running-service.ts';
import { accessibilityViolations, complaintsOf, type Look, looks, openChromium, takePicture } from './chromium.ts';

const ACTION_MS = 45_000;

/** Parts of the account area that stand on one another, as pairs. */
const overlaps = `[['.side > nav', 'main'], ['.side > nav', '.area > .brand'], ['.side > nav', '.whoami'], ['.whoami', 'main']]
  .filter((pair) => {
    const [one, other] = pair.map((each) => document.querySelector(each)?.getBoundingClientRect());
    if (!one || !other) return false;
    const isBeside = one.right <= other.left || other.right <= one.left;
    return !isBeside && one.bottom > other.top && other.bottom > one.top;
  })`;

/** A running service with mail, and Chromium in front of it. */
export class BrowserWorld {
  readonly provider: Provider;
  readonly inbox: SmtpInbox;
  readonly #browser: Browser;

  private constructor(provider: Provider, inbox: SmtpInbox, browser: Browser) {
    this.provider = provider;
    this.inbox = inbox;
    this.#browser = browser;
  }

  /** At `localhost`, which browsers trust like https: passkeys work there. */
  static async start(slug: string, environment: Readonly<Record<string, string>> = {}): Promise<BrowserWorld> {
    const inbox = await SmtpInbox.open();
    const port = String(await nextPort());
    const [service, browser] = await Promise.all([
      RunningService.start({
        RELATA_PORT: port,
        RELATA_BASE_URL: `http://localhost:${port}`,
        RELATA_SMTP_URL: inbox.url,
        RELATA_ALLOW_PRIVATE_URLS: '1',
        ...environment,
      }),
      openChromium(),
    ]);
    return new BrowserWorld(new Provider(await service.organization(slug)), inbox, browser);
  }

  get issuer(): string {
    return this.provider.issuer;
  }

  /** A setting of the organization, in the family of paths whose settings have groups. */
  async set(path: string, body: unknown): Promise<void> {
    const { slug, service, key } = this.provider.organization;
    const answer = await service.call('PUT', `/orgs/${slug}/api/v1${path}`, { key, body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  /** A browser of its own: no cookies, one window. */
  async visitor(look: Look = 'light'): Promise<BrowserVisitor> {
    const context = await this.#browser.newContext({ ...looks[look], locale: 'en-US' });
    context.setDefaultTimeout(ACTION_MS);
    return new BrowserVisitor(context, await context.newPage(), look);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.provider.stop();
    await this.inbox.close();
  }
}

/** Somebody in front of a browser. */
export class BrowserVisitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly look: Look;
  readonly complaints: string[];

  constructor(context: BrowserContext, page: Page, look: Look) {
    this.context = context;
    this.page = page;
    this.look = look;
    this.complaints = complaintsOf(page);
  }

  /** Fills in fields by what they are for, as browsers do, and sends the form by its main button. */
  async fill(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [autocomplete, value] of Object.entries(values)) {
      for (const field of await this.page.locator(`input[autocomplete~="${autocomplete}"]`).all())
        await field.fill(value);
    }
  }

  /** Sends a form by a button, and waits for the page that comes. */
  async press(name: string | RegExp): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), this.page.getByRole('button', { name }).first().click()]);
  }

  async signIn({ email, password }: { readonly email: string; readonly password: string }): Promise<void> {
    await this.fill({ username: email, 'current-password': password });
    await this.press(/^(sign in|continue)/i);
  }

  /** Waits for the page with this heading. */
  async sees(heading: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }

  /** The page as it is now: accessible, complained about by nobody, and taken for people to look at. */
  async inspect(name: string): Promise<void> {
    await takePicture(this.page, `${name}-${this.look}`);
    expect({ name, violations: await accessibilityViolations(this.page) }).toEqual({ name, violations: [] });
    expect({ name, complaints: this.complaints.splice(0) }).toEqual({
      name,
      complaints: [],
    });
    const { scrollWidth, clientWidth } = await this.page.evaluate<{ scrollWidth: number; clientWidth: number }>(
      '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
    );
    expect({ name, isWider: scrollWidth > clientWidth }).toEqual({ name, isWider: false });
    expect({ name, overlaps: await this.page.evaluate(overlaps) }).toEqual({ name, overlaps: [] });
    const narrow = await this.page.evaluate<number[]>(
      `[...document.querySelectorAll('.row .quoted')].map((each) => each.clientWidth).filter((width) => width < 180)`,
    );
    expect({ name, narrow }).toEqual({ name, narrow: [] });
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
