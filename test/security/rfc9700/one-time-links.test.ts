import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { mailBodies, SmtpInbox } from '../../platform/smtp-inbox.ts';
import { browserOf, newPerson, type Person } from '../../protocols/oauth/signing-in.ts';
import { Provider } from '../../protocols/oauth/world.ts';

let inbox: SmtpInbox;
let provider: Provider;

beforeAll(async () => {
  inbox = await SmtpInbox.open();
  provider = await Provider.start('links', { RELATA_SMTP_URL: inbox.url, RELATA_THREADS: '3' });
  const { slug, service, key } = provider.organization;
  const body = { login_flow: { magic_link_enabled: true }, registration: { signup_enabled: true } };
  expect((await service.call('PATCH', `/orgs/${slug}/api/v1/admin/settings/auth`, { key, body })).status).toBe(200);
});
afterAll(async () => {
  await provider.stop();
  await inbox.close();
});

const AT_ONCE = 10;

/** The link in the newest mail to an address, after so many mails. */
async function linkTo(email: string, after = 0): Promise<URL> {
  while (inbox.mails.filter(({ to }) => to.includes(email)).length <= after) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const [link] = /http:\/\/[^\s"<>]+\/orgs\/links\/[^\s"<>]+/.exec(mailBodies(await inbox.mailTo(email))) ?? [];
  if (link === undefined) throw new Error('no link in the mail');
  return new URL(link.replaceAll('&amp;', '&'));
}

const account = () => `${provider.issuer}/account`;

async function isSignedIn(browser: FormBrowser): Promise<boolean> {
  return (await browser.open(account())).url.pathname.endsWith('/account');
}

async function sessionsOf({ id }: Person): Promise<number> {
  return (await provider.admin('GET', `/admin/users/${id}/sessions`)).list('data').length;
}

function newPassword(page: Page, password: string): Record<string, string> {
  const fields = page.forms
    .flatMap((form) => form.fields)
    .filter(({ autocomplete }) => autocomplete === 'new-password');
  return Object.fromEntries(fields.map(({ name }) => [name, password]));
}

describe('security.md: a link in a mail is good once', () => {
  test('to set a new password: once, also at the same moment, and no other one after it', async () => {
    const { email } = await newPerson(provider);
    const browser = browserOf(provider);
    const ask = async () => {
      const page = await browser.click(await browser.open(account()), /Forgot/);
      return browser.submit(page, { email });
    };
    await ask();
    const first = await linkTo(email);
    await ask();
    const link = await linkTo(email, 1);
    expect(link.href).not.toBe(first.href);
    const page = await browser.open(link);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => browser.submit(page, newPassword(page, `brand new secret ${at}`))),
    );
    expect(answers.filter(({ status }) => status < 400)).toHaveLength(1);
    for (const spent of [link, first]) expect(newPassword(await browser.open(spent), 'x')).toEqual({});
    expect((await browser.submit(page, newPassword(page, 'another new secret'))).status).toBeGreaterThanOrEqual(400);
  });

  test('to sign in: opened it changes nothing, sent it signs in once', async () => {
    const person = await newPerson(provider);
    const browser = browserOf(provider);
    await browser.submit(await browser.open(account()), { identifier: person.email }, { button: 'link' });
    const link = await linkTo(person.email);
    for (let scanner = 0; scanner < 3; scanner++) await browserOf(provider).open(link);
    const opened = await browser.open(link);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await sessionsOf(person)).toBe(0);
    await Promise.all(Array.from({ length: AT_ONCE }, () => browser.submit(opened)));
    expect(await isSignedIn(browser)).toBe(true);
    expect(await sessionsOf(person)).toBe(1);
    await browser.submit(opened);
    expect(await sessionsOf(person)).toBe(1);
  });

  test('to confirm an address: once', async () => {
    const person = await newPerson(provider, { emailVerified: false });
    const sent = await provider.admin('POST', `/admin/users/${person.id}/verify-email`);
    expect(sent.status).toBeLessThan(300);
    const browser = browserOf(provider);
    const opened = await browser.open(await linkTo(person.email));
    const done = await Promise.all(Array.from({ length: AT_ONCE }, () => browser.submit(opened)));
    expect(done.filter(({ status }) => status < 400)).toHaveLength(1);
    expect((await browser.submit(opened)).status).toBeGreaterThanOrEqual(400);
  });

  test('to finish an account: one account', async () => {
    const email = 'joins@example.com';
    const browser = browserOf(provider);
    const asking = await browser.click(await browser.open(account()), /Create an account/);
    await browser.submit(asking, { email });
    const link = await linkTo(email);
    const opened = await browser.open(link);
    const values = (at: number) => ({ ...newPassword(opened, `a long enough secret ${at}`), name: `Name ${at}` });
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => browser.submit(opened, values(at))));
    const found = await provider.admin('GET', `/admin/users?search=${email}`);
    expect(found.list('data')).toHaveLength(1);
    expect(newPassword(await browser.open(link), 'x')).toEqual({});
  });
});
