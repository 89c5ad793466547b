import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser, RequestOptions } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { fromAnother, whichIsSlower } from '../../identity/signin/turn-by-turn.ts';
import { SmtpInbox } from '../../platform/smtp-inbox.ts';
import { browserOf, newPerson, type Person } from '../../protocols/oauth/signing-in.ts';
import { Provider } from '../../protocols/oauth/world.ts';

let inbox: SmtpInbox;
let provider: Provider;
let person: Person;

beforeAll(async () => {
  inbox = await SmtpInbox.open();
  provider = await Provider.start('enumeration', {
    RELATA_SMTP_URL: inbox.url,
    RELATA_LIMIT_RATE_REFUSED: '0',
    RELATA_LIMIT_RATE_PUBLIC: '0',
    RELATA_TRUSTED_PROXIES: '127.0.0.1',
  });
  const { slug, service, key } = provider.organization;
  const set = (path: string, body: object) => service.call('PATCH', `/orgs/${slug}/api/v1${path}`, { key, body });
  expect((await set('/admin/settings/security', { maxLoginAttempts: 1000 })).status).toBe(200);
  expect(
    (
      await set('/admin/settings/auth', {
        login_flow: { magic_link_enabled: true },
        registration: { signup_enabled: true },
      })
    ).status,
  ).toBe(200);
  person = await newPerson(provider);
  await newPerson(provider, { email: 'switched@example.com', isActive: false });
  const { status } = await provider.admin('POST', '/admin/users', { email: 'nopassword@example.com' });
  expect(status).toBe(201);
});
afterAll(async () => {
  await provider.stop();
  await inbox.close();
});

let unknown = 0;
const nobody = () => `nobody${++unknown}@example.com`;

interface Door {
  readonly name: string;
  /** Of what is submitted. */
  readonly status: number;
  open(browser: FormBrowser): Promise<Page>;
  submit(browser: FormBrowser, page: Page, email: string, options?: RequestOptions): Promise<Page>;
}

const signInPage = (browser: FormBrowser) => browser.open(`${provider.issuer}/account`);

const doors: readonly Door[] = [
  {
    name: 'sign-in with a password',
    status: 422,
    open: signInPage,
    submit: (browser, page, identifier, options) =>
      browser.submit(page, { identifier, password: 'wrong but long enough' }, options),
  },
  {
    name: 'forgotten password',
    status: 303,
    open: async (browser) => browser.click(await signInPage(browser), /Forgot/),
    submit: (browser, page, email, options) => browser.submit(page, { email }, options),
  },
  {
    name: 'magic link',
    status: 303,
    open: signInPage,
    submit: (browser, page, identifier, options) =>
      browser.submit(page, { identifier }, { ...options, button: 'link' }),
  },
  {
    name: 'sign-up',
    status: 303,
    open: async (browser) => browser.click(await signInPage(browser), /Create an account/),
    submit: (browser, page, email, options) => browser.submit(page, { email }, options),
  },
];

/** All that an answer shows, without what differs from one request to the next. */
function shown({ status, headers, html, steps }: Page, email: string) {
  const varies = new Set(['date', 'x-request-id', 'content-length', 'ratelimit-remaining', 'ratelimit-reset']);
  return {
    status,
    paths: steps.map(({ method, url, status: each }) => `${method} ${url.pathname} ${each}`),
    headers: [...headers].filter(([name]) => !varies.has(name)).map(([name, value]) => [name, masked(value, email)]),
    html: masked(html, email),
  };
}

function masked(text: string, email: string): string {
  return text
    .replaceAll(email, 'EMAIL')
    .replaceAll(encodeURIComponent(email), 'EMAIL')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/[A-Za-z0-9_-]{30,}/g, 'RANDOM');
}

async function ask(door: Door, email: string): Promise<Page> {
  const browser = browserOf(provider);
  return door.submit(browser, await door.open(browser), email);
}

describe('security.md: no answer tells whether an account exists', () => {
  test.each(doors)('$name: body, status and headers', async (door) => {
    const absent = nobody();
    const reference = shown(await ask(door, absent), absent);
    for (const email of [person.email, 'nopassword@example.com', 'switched@example.com', nobody()]) {
      expect({ email, ...shown(await ask(door, email), email) }).toEqual({ email, ...reference });
    }
  });

  const PAIRS = 40;

  test.each(doors)('$name: time', { timeout: 300_000 }, async (door) => {
    const browser = browserOf(provider);
    const page = await door.open(browser);
    // each once, as mails to one address are few
    const people = await Promise.all(Array.from({ length: PAIRS }, () => newPerson(provider)));
    const statuses = new Set<number | undefined>();
    const timed = async (email: string) => {
      const began = performance.now();
      const { steps } = await door.submit(browser, page, email, fromAnother());
      const ms = performance.now() - began;
      statuses.add(steps[0]?.status);
      return ms;
    };
    for (let warm = 0; warm < 3; warm++) await timed(nobody());
    const known = async () => timed((people.pop() ?? (await newPerson(provider))).email);
    const slower = await whichIsSlower({ one: known, other: () => timed(nobody()) }, PAIRS, (ms) => 1.35 * ms + 4);
    expect(slower).toBeUndefined();
    expect([...statuses]).toEqual([door.status]);
  });
});
