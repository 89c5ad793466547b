import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';
import { again, entriesOf, type Visitor, visitor } from './account-world.ts';

const next = 'another horse entirely 9';

let world: SignInWorld;
let site: SignInSite;
let anne: Visitor;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  site = await world.organization();
  anne = await visitor(site);
});
afterAll(() => world.stop());

const change = async (current: string, password: string, { browser, open }: Visitor = anne) =>
  browser.submit(await open('/password'), { current, password });

async function where({ open }: Visitor): Promise<string> {
  return (await open()).heading;
}

describe('a new password', () => {
  test('is set by the old one, ends every other session, and keeps this one', async () => {
    const elsewhere = await again(site, anne.person);
    const done = await change(anne.person.password, next);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your password was changed.')]);
    expect(await where(anne)).toMatch(/^Hello/);
    expect(await where(elsewhere)).toBe('Sign in');
    const old = await signIn(elsewhere.browser, await elsewhere.open(), anne.person);
    expect(old.status).toBeGreaterThanOrEqual(400);
    const fresh = await signIn(elsewhere.browser, await elsewhere.open(), { ...anne.person, password: next });
    expect(fresh.heading).toMatch(/^Hello/);
    expect(await entriesOf(site, 'user.change_password')).toMatchObject([
      { eventType: 'user.password_changed', actorId: anne.person.id, targetId: anne.person.id },
    ]);
  });

  test.each([
    { name: 'with a wrong old one', current: 'not it', password: next, says: 'That isn’t your current password.' },
    { name: 'that the policy refuses', current: undefined, password: 'short', says: 'must have at least' },
    { name: 'that is empty', current: undefined, password: '', says: 'Enter a new password.' },
  ])('$name is refused beside its field, and nothing changes', async ({ current, password, says }) => {
    const page = await change(current ?? anne.person.password, password);
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(says)]);
    expect(page.html).not.toContain('value="not it"');
    expect((await again(site, anne.person)).person).toBe(anne.person);
  });

  test('is not guessed at an open browser: attempts are counted as at sign-in', async () => {
    await site.set('security', { maxLoginAttempts: 3, lockoutDuration: 600 });
    for (let i = 0; i < 3; i++) expect((await change(`guess ${i}`, next)).status).toBe(422);
    const page = await change(anne.person.password, next);
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });

  test('that the policy refuses is no failed attempt', async () => {
    await site.set('security', { maxLoginAttempts: 3, lockoutDuration: 600 });
    for (let i = 0; i < 4; i++) expect((await change(anne.person.password, 'short')).status).toBe(422);
    expect((await change(anne.person.password, next)).status).toBe(200);
  });

  test('ends every token of the user', async () => {
    const { organization, service } = site.provider;
    const client = await site.provider.client(['openid']);
    const grant = { type: 'access' as const, clientId: client.id, userId: anne.person.id, scopes: ['openid'] };
    const expiresAt = service.clock.now() + 3_600_000;
    await organization.issue({ ...grant, expiresAt });
    const tokens = () => organization.org('GET', `/admin/tokens?userId=${anne.person.id}`);
    expect((await tokens()).at('data.meta.total')).toBe(1);
    await change(anne.person.password, next);
    expect((await tokens()).at('data.meta.total')).toBe(0);
  });

  test('must be what the organization wants, which is said before', async () => {
    await site.set('authentication', { passwordMinLength: 10, passwordRequireNumbers: true });
    expect((await anne.open('/password')).text).toContain('At least 10 characters, with a number.');
  });

  test.each([
    { room: 'authentication', given: { allowPasswordLogin: false } },
    { room: 'auth', given: { login_flow: { magic_link_enabled: true, magic_link_only: true } } },
  ] as const)('is not offered where nobody signs in with one: $given', async ({ room, given }) => {
    await site.set(room, given);
    const page = await anne.open('/password');
    expect(page.text).toContain('Passwords are not used here.');
    expect(page.forms.map(({ action }) => action)).toEqual([`${site.base}/signout`]);
  });
});

describe('who came long ago', () => {
  test.each(['/password', '/email'])('signs in again before %s, and comes back to it', async (room) => {
    const page = await anne.open(room);
    site.provider.service.clock.advance(11 * 60_000);
    expect(await where(anne)).toMatch(/^Hello/);
    const asked = await anne.open(room);
    expect(asked.url.pathname).toBe(`${site.base}/signin`);
    const back = await signIn(anne.browser, asked, anne.person);
    expect([back.heading, back.url.pathname]).toEqual([page.heading, `${site.base}/account${room}`]);
    expect((await anne.open(room)).url.pathname).toBe(`${site.base}/account${room}`);
  });

  test('is not let through by a form that was opened before', async () => {
    const page = await anne.open('/password');
    site.provider.service.clock.advance(11 * 60_000);
    const late = await anne.browser.submit(page, { current: anne.person.password, password: next });
    expect(late.url.pathname).toBe(`${site.base}/signin`);
    const back = await signIn(anne.browser, late, anne.person);
    expect(back.url.pathname).toBe(`${site.base}/account/password`);
    expect(await entriesOf(site, 'user.change_password')).toEqual([]);
  });
});
