import { expect } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import { nextPort } from '../../server/next-port.ts';
import { RunningService } from '../../server/running-service.ts';
import { agree, type Person, signIn } from './signing-in.ts';
import { Provider } from './world.ts';

/** Two organizations of a service of their own; people of the first sign in to the second. */
export class TwoOrganizations {
  readonly service: RunningService;
  readonly home: Provider;
  readonly other: Provider;

  private constructor(service: RunningService, home: Provider, other: Provider) {
    this.service = service;
    this.home = home;
    this.other = other;
  }

  static async start(home: string, other: string): Promise<TwoOrganizations> {
    const port = String(await nextPort());
    const service = await RunningService.start({
      RELATA_PORT: port,
      RELATA_BASE_URL: `http://127.0.0.1:${port}`,
      RELATA_THREADS: '2',
      RELATA_ALLOW_PRIVATE_URLS: '1',
    });
    const two = new TwoOrganizations(
      service,
      new Provider(await service.organization(home)),
      new Provider(await service.organization(other)),
    );
    await two.#connect();
    return two;
  }

  async #connect(): Promise<void> {
    const app = await this.home.client({
      grantTypes: ['authorization_code'],
      redirectUris: [`${this.other.api}/oauth/social/oidc/callback`],
      scopes: ['openid', 'profile', 'email'],
    });
    const { id: clientId, secret: clientSecret } = app;
    const body = { type: 'oidc', name: 'Work', clientId, clientSecret, issuerUrl: this.home.issuer };
    expect((await this.other.admin('POST', '/admin/social-providers', body)).status).toBe(201);
  }

  /** Through the pages of both. */
  async comeIn(browser: FormBrowser, person: Person): Promise<void> {
    const first = await browser.open(`${this.other.issuer}/signin`);
    const page = await agree(browser, await signIn(browser, await browser.click(first, 'Continue with Work'), person));
    expect(page.url.pathname, page.describe()).toBe(`${new URL(this.other.issuer).pathname}/account`);
  }
}
