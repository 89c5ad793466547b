import { createServer, type Server } from 'node:http';
import { Provider } from 'oidc-provider';
import { vi } from 'vitest';
import { FormBrowser } from '../../../browser/form-browser.ts';
import type { Page } from '../../../browser/page.ts';
import type { WayBack } from './known-providers.ts';

/** Who people are there, by the name that they type. */
export interface Account {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export interface OidcClient {
  readonly redirectUri: string;
  readonly id?: string;
}

/** `oidc-provider` with its own pages for development, on the loopback. */
export class OidcUpstream {
  /** Names not listed are nobody in particular. */
  readonly accounts = new Map<string, Account>();
  readonly #server: Server;
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(client: OidcClient, settings: Readonly<Record<string, unknown>> = {}): Promise<OidcUpstream> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('nobody listens');
    const upstream = new OidcUpstream(server, `http://127.0.0.1:${address.port}`);
    // it warns of what is meant for development alone
    const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const provider = new Provider(upstream.url, {
      clients: [
        {
          client_id: client.id ?? 'relata',
          client_secret: 'a secret between the two',
          redirect_uris: [client.redirectUri],
          grant_types: ['authorization_code'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...upstream.accounts.get(sub) }) }),
      cookies: { keys: ['a key of cookies'] },
      features: { devInteractions: { enabled: true } },
      ...settings,
    });
    warned.mockRestore();
    server.on('request', provider.callback());
    return upstream;
  }

  browser(): FormBrowser {
    return new FormBrowser({ origin: this.url });
  }

  /** Signs in there and agrees, wherever it asks, until it sends the browser back. */
  async signIn(departure: URL, login: string, browser = this.browser()): Promise<WayBack> {
    let page: Page = await browser.open(departure);
    for (let step = 0; step < 6 && page.departure === undefined; step++) {
      const asksWho = page.forms.some(({ fields }) => fields.some(({ name }) => name === 'login'));
      page = await browser.submit(page, asksWho ? { login, password: 'any' } : {});
    }
    return page.left;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
