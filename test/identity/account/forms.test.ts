import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';
import { type Visitor, visitor } from './account-world.ts';

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

const rooms = [
  '',
  '/profile',
  '/email',
  '/password',
  '/factors',
  '/sessions',
  '/applications',
  '/identities',
  '/agents',
  '/agents/add',
  '/approvals',
];
const forms = [
  '/profile',
  '/email',
  '/email/confirm',
  '/password',
  '/sessions/end',
  '/sessions/end-others',
  '/applications/disconnect',
  '/factors/add',
  '/factors/add/send',
  '/factors/rename',
  '/factors/remove',
  '/factors/recovery-codes',
  '/identities/link',
  '/identities/unlink',
  '/agents/add',
  '/agents/withdraw',
  '/agents/end',
];

test.each(rooms)('%s is for who is signed in, and comes after signing in', async (room) => {
  const page = await anne.open(room);
  expect([page.status, page.url.pathname]).toEqual([200, `${site.base}/account${room}`]);
  const stranger = site.browser();
  const asked = await stranger.open(`${site.base}/account${room}`);
  expect(asked.url.pathname).toBe(`${site.base}/signin`);
  expect(asked.text).not.toContain(anne.person.email);
});

test.each(rooms)('%s is kept by no cache, held in no frame, and runs no script of others', async (room) => {
  const { headers } = await anne.open(room);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-frame-options')).toBe('DENY');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
});

test.each(forms)('a form to %s that this browser was not given does nothing', async (path) => {
  const address = `${site.base}/account${path}`;
  const fields = {
    name: 'Mallory',
    email: 'mallory@example.com',
    current: anne.person.password,
    password: 'x'.repeat(20),
    method: 'email',
  };
  const evil = { from: 'https://evil.example', forgetsSameSite: true };
  const page = await anne.open('/profile');
  const other = page.form(['name']).fields.find(({ name }) => name === 'csrf')?.value ?? '';
  const tokenOf = path === '/profile' ? 'x' : other;
  const tries = [
    await anne.browser.post(address, { ...fields, csrf: '' }),
    await anne.browser.post(address, { ...fields, csrf: tokenOf }),
    await anne.browser.post(address, { ...fields, csrf: path === '/profile' ? other : tokenOf }, evil),
  ];
  expect(tries.map(({ status }) => status)).toEqual([403, 403, 403]);
  const user = await site.provider.organization.org('GET', `/admin/users/${anne.person.id}`);
  expect(user.at('data.data')).toMatchObject({ email: anne.person.email });
  expect(user.at('data.data.name') ?? null).not.toBe('Mallory');
});

test('a form of who was signed in before does nothing to who is now', async () => {
  const page = await anne.open('/profile');
  const bob = await site.person({ name: 'Bob' });
  await anne.browser.submit(await anne.open(), {}, { button: 'Sign out' });
  await signIn(anne.browser, await anne.open(), bob);
  const late = await anne.browser.submit(page, { name: 'Anne' });
  expect([late.url.pathname, late.text]).toEqual([
    `${site.base}/account`,
    expect.stringContaining('Nothing was changed.'),
  ]);
  const user = await site.provider.organization.org('GET', `/admin/users/${bob.id}`);
  expect(user.at('data.data.name')).toBe('Bob');
});

test('a session of another organization opens nothing', async () => {
  const other = await world.organization();
  const page = await anne.browser.open(`${other.base}/account`);
  expect(page.url.pathname).toBe(`${other.base}/signin`);
  const session = anne.browser.cookies.named(/_session_/);
  const stolen = other.browser();
  const theirs = (await visitor(other)).browser.cookies.named(/_session_/);
  if (session === undefined || theirs === undefined) throw new Error('no session');
  stolen.cookies.plant({ ...theirs, value: session.value });
  expect((await stolen.open(`${other.base}/account`)).url.pathname).toBe(`${other.base}/signin`);
});

test.each(['block', 'deactivation', 'deletion'])('after a %s the account is closed at once', async (how) => {
  const { organization } = site.provider;
  const { id } = anne.person;
  if (how === 'block') await organization.org('POST', `/admin/users/${id}/block`);
  if (how === 'deactivation') await organization.org('PATCH', `/admin/users/${id}`, { body: { isActive: false } });
  if (how === 'deletion') await organization.org('DELETE', `/admin/users/${id}`);
  expect((await anne.open()).url.pathname).toBe(`${site.base}/signin`);
});
