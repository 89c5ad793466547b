import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from './world.ts';

let world: SignInWorld;
let site: SignInSite;
let browser: FormBrowser;
let mailboxes = 0;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  site = await world.organization({ authentication: { allowSignup: true } });
  browser = site.browser();
});
afterAll(() => world.stop());

/** What the page asks with. */
function checkOn({ html }: Page): Readonly<Record<'strength' | 'csrf' | 'about', string>> {
  const given = (name: string) => new RegExp(` data-${name}="([^"]+)"`).exec(html)?.[1] ?? '';
  return { strength: given('strength'), csrf: given('csrf'), about: given('about') };
}

async function ask(page: Page, password: string, more: Readonly<Record<string, string>> = {}, by = browser) {
  const { strength, csrf, about } = checkOn(page);
  return by.post(strength, { csrf, about, password, ...more });
}

const answerOf = ({ html }: Page) => JSON.parse(html) as { level: number; text: string };

async function resetPage(email: string, by = browser, count = 1): Promise<Page> {
  await by.submit(await by.open(`${site.base}/signin/forgot`), { email });
  return by.open(await site.mailedLink(email, count));
}

describe('the strength of a new password', () => {
  test.each([
    { password: 'short', level: 1, text: 'The password must have at least 8 characters.' },
    { password: 'password123', level: 1, text: expect.stringMatching(/most common passwords/) },
    { password: 'anne.of.acme@', level: 1, text: expect.stringMatching(/easy to guess/) },
    { password: 'Anneliese', level: 1, text: expect.stringMatching(/easy to guess/) },
    { password: 'quiet otter 7', level: expect.any(Number), text: expect.stringMatching(/password|safer/) },
    { password: 'seven unrelated words of a long row', level: 4, text: 'Strong password' },
  ])('is what the form says of it afterwards: $password', async ({ password, level, text }) => {
    const { email } = await site.person({ email: `anne.of.acme@${++mailboxes}.example.org`, name: 'Anneliese' });
    const page = await resetPage(email);
    const answer = await ask(page, password);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(answerOf(answer)).toEqual({ level, text });
    const sent = await browser.submit(page, { password });
    const isRefused = sent.status === 422;
    expect(answerOf(answer).level > 1).toBe(!isRefused);
    if (isRefused) expect(sent.text).toContain(answerOf(answer).text);
  });

  test('is that of a policy that asks for more, in the language of the reader', async () => {
    const person = await site.person();
    await site.set('tenant', { passwordPolicy: { requireUppercase: true, requireSymbols: true } });
    const german = site.browser(undefined, 'de');
    const page = await resetPage(person.email, german);
    expect(answerOf(await ask(page, 'quiet otter of the north', {}, german)).text).toBe(
      'Das Passwort muss einen Großbuchstaben enthalten. Das Passwort muss ein Sonderzeichen enthalten.',
    );
    expect(answerOf(await ask(page, 'Quiet otter of the north!', {}, german))).toEqual({
      level: 4,
      text: 'Starkes Passwort',
    });
  });

  test('knows the name that is typed beside it', async () => {
    await browser.submit(await browser.open(`${site.base}/signin/signup`), { email: 'new@example.com' });
    const page = await browser.open(await site.mailedLink('new@example.com'));
    expect(answerOf(await ask(page, 'Wolfeschlegelstein')).level).toBeGreaterThan(1);
    expect(answerOf(await ask(page, 'Wolfeschlegelstein', { name: 'Wolfeschlegelstein' })).level).toBe(1);
    expect((await browser.submit(page, { name: 'Wolfeschlegelstein', password: 'Wolfeschlegelstein' })).status).toBe(
      422,
    );
  });

  test('is asked for at every new password, and does not tell whose it is to be', async () => {
    const person = await site.person();
    const body = { password: 'given by somebody else', requireChange: true };
    await site.provider.organization.org('POST', `/admin/users/${person.id}/password-reset`);
    const byAdministrator = await browser.open(await site.mailedLink(person.email));
    expect(byAdministrator.html).not.toContain(person.email);
    await site.provider.organization.org('PUT', `/admin/users/${person.id}/password`, { body });
    const other = site.browser();
    const must = await signIn(other, await other.open(`${site.base}/account/password`), { ...person, ...body });
    const account = await other.submit(must, { password: 'quite another horse 9' });
    for (const [page, by] of [
      [byAdministrator, browser],
      [must, other],
      [account, other],
    ] as const) {
      expect(answerOf(await ask(page, 'password123', {}, by))).toMatchObject({ level: 1 });
      expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'");
    }
  });

  test('is told to pages of this service in this browser alone', async () => {
    const person = await site.person();
    const page = await resetPage(person.email);
    const { strength, csrf, about } = checkOn(page);
    const asked = async (fields: Readonly<Record<string, string>>, by = browser) =>
      (await by.post(strength, fields)).status;
    const good = { csrf, about, password: 'x' };
    expect(await asked(good)).toBe(200);
    expect(await asked({ ...good, csrf: '' })).toBe(403);
    expect(await asked({ ...good, about: '' })).toBe(400);
    expect(await asked({ ...good, about: `${about.slice(0, -4)}AAAA` })).toBe(400);
    expect(await asked({ ...good, password: 'x'.repeat(257) })).toBe(400);
    expect(await asked({ ...good, name: 'x'.repeat(201) })).toBe(400);
    const other = site.browser();
    await other.open(`${site.base}/signin`);
    expect(await asked(good, other)).toBe(403);
    expect(await asked({ ...good, csrf: site.csrf(other, strength) }, other)).toBe(400);
    expect((await browser.post(strength, good, { from: 'https://evil.example' })).status).toBe(403);
  });

  test('has a bound in each minute of one address', async () => {
    const person = await site.person();
    const page = await resetPage(person.email);
    const answers = [];
    for (let tries = 0; tries < 601; tries++) answers.push((await ask(page, 'x')).status);
    expect(answers.slice(0, 500).every((status) => status === 200)).toBe(true);
    expect(answers.at(-1)).toBe(429);
  });
});
