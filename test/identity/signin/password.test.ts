import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { SignInWorld } from './world.ts';

describe('signing in with a password', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  it('leads to the account, with a session in a cookie of the organization alone', async () => {
    const site = await world.organization();
    const person = await site.person();
    const browser = site.browser();
    const page = await browser.open(`${site.base}/signin`);
    expect(page.heading).toBe('Sign in');
    const after = await signIn(browser, page, person);
    expect(after.steps[0]).toMatchObject({ method: 'POST', status: 303 });
    expect(after.steps[1]?.url.pathname).toBe(`${site.base}/account`);
    const session = browser.cookies.named(/_session_/);
    expect(session).toMatchObject({ path: `${site.base}/`, httpOnly: true, secure: true, sameSite: 'Lax' });
    expect(session?.name).toMatch(/^__Secure-relata_session_/);
    const [entry] = await site.sessions();
    expect(entry).toMatchObject({ userId: person.id, isActive: true });
    const user = await site.provider.organization.tenant('GET', `/admin/users/${person.id}`);
    expect(user.at('data.loginCount')).toBe(1);
    expect(user.at('data.lastLoginAt')).toEqual(expect.any(String));
    expect(await site.logged('user.login')).toMatchObject([
      {
        actorId: person.id,
        actorEmail: person.email,
        result: 'success',
        metadata: { authMethod: 'password', amr: ['pwd'] },
      },
    ]);
  });

  it('knows a user by a name that is the user’s alone', async () => {
    const site = await world.organization();
    const person = await site.person({ username: 'Dora' });
    const one = await signIn(site.browser(), await site.browser().open(`${site.base}/signin`), person);
    expect(one.status).toBeGreaterThan(399); // another browser's form
    const browser = site.browser();
    const first = await browser.open(`${site.base}/signin`);
    await signIn(browser, first, { email: 'dora', password: person.password });
    expect(browser.cookies.named(/_session_/)).toBeDefined();
    await site.person({ username: 'dora' });
    const other = site.browser();
    const again = await signIn(other, await other.open(`${site.base}/signin`), {
      email: 'dora',
      password: person.password,
    });
    expect(again.status).toBe(422);
  });

  it('knows a user by a name that looks like an address and is not the one for mail', async () => {
    const site = await world.organization();
    const person = await site.person({ username: 'dora@corp.example' });
    const browser = site.browser();
    await signIn(browser, await browser.open(`${site.base}/signin`), {
      email: 'Dora@corp.example',
      password: person.password,
    });
    expect(browser.cookies.named(/_session_/)).toBeDefined();
    // whose address it is comes first
    const owner = await site.person({ email: 'dora@corp.example' });
    const other = site.browser();
    const refused = await signIn(other, await other.open(`${site.base}/signin`), {
      email: 'dora@corp.example',
      password: person.password,
    });
    expect(refused.status).toBe(422);
    const third = site.browser();
    await signIn(third, await third.open(`${site.base}/signin`), owner);
    expect(third.cookies.named(/_session_/)).toBeDefined();
  });

  it('begins another session each time, and ends the one before in this browser', async () => {
    const site = await world.organization();
    const person = await site.person();
    const browser = site.browser();
    const secrets = new Set<string>();
    for (let time = 0; time < 3; time++) {
      const flow = await site.begin(browser, { fresh: true });
      await signIn(browser, flow, person);
      secrets.add(browser.cookies.named(/_session_/)?.value ?? '');
    }
    expect(secrets.size).toBe(3);
    const sessions = await site.sessions();
    expect(sessions.filter(({ isActive }) => isActive)).toHaveLength(1);
  });

  it('ends the user’s other sessions where one is all that the organization allows', async () => {
    const site = await world.organization({ tenant: { sessionPolicy: { singleSession: true } } });
    const person = await site.person();
    const [one, two] = [site.browser(), site.browser()];
    await signIn(one, await one.open(`${site.base}/signin`), person);
    await signIn(two, await two.open(`${site.base}/signin`), person);
    expect((await one.open(`${site.base}/signin`)).heading).toBe('Sign in');
    expect((await two.open(`${site.base}/signin`)).steps[1]?.url.pathname).toBe(`${site.base}/account`);
  });

  it('ends by idleness and by age, as the settings say', async () => {
    const site = await world.organization({ tenant: { sessionPolicy: { maxAge: 3600, idleTimeout: 600 } } });
    const person = await site.person();
    const { clock } = world.provider.service;
    const isIn = async (browser: ReturnType<typeof site.browser>) =>
      (await browser.open(`${site.base}/signin`)).heading !== 'Sign in';
    const idle = site.browser();
    await signIn(idle, await idle.open(`${site.base}/signin`), person);
    clock.advance(599_000);
    expect(await isIn(idle)).toBe(true);
    clock.advance(601_000);
    expect(await isIn(idle)).toBe(false);
    const busy = site.browser();
    await signIn(busy, await busy.open(`${site.base}/signin`), person);
    for (let minute = 0; minute < 59; minute += 5) {
      expect(await isIn(busy)).toBe(true);
      await world.provider.service.signedIn.flush();
      clock.advance(300_000);
    }
    expect(await isIn(busy)).toBe(false);
  });

  it('is refused with one sentence, whatever was wrong', async () => {
    const site = await world.organization();
    const person = await site.person();
    const without = await site.provider.organization.newUser('nobody-yet@example.com');
    const texts = new Set<string>();
    for (const [email, password] of [
      [person.email, 'wrong'],
      ['nobody@example.com', 'wrong'],
      ['no such name', 'wrong'],
      [without.email, 'wrong'],
    ] as const) {
      const browser = site.browser();
      const page = await signIn(browser, await browser.open(`${site.base}/signin`), { email, password });
      expect(page.status).toBe(422);
      expect(browser.cookies.named(/_session_/)).toBeUndefined();
      texts.add(page.text.replaceAll(email, ''));
    }
    expect(texts.size).toBe(1);
    expect([...texts][0]).toContain('Incorrect email or password.');
  });

  it('refuses a blocked user who knows the password, and puts it on record', async () => {
    const site = await world.organization();
    const person = await site.person();
    await site.provider.organization.org('POST', `/admin/users/${person.id}/block`);
    const browser = site.browser();
    const page = await signIn(browser, await browser.open(`${site.base}/signin`), person);
    expect(page.status).toBe(403);
    expect(page.text).toContain('You can’t use this account right now');
    expect(browser.cookies.named(/_session_/)).toBeUndefined();
    await vi.waitFor(
      async () =>
        expect(await site.logged('user.login_failed')).toMatchObject([
          { actorId: person.id, targetId: person.id, action: 'login.refused' },
        ]),
      60_000,
    );
  });

  it('is not offered where the organization does not want it, and refused where it is tried all the same', async () => {
    const site = await world.organization({ authentication: { allowPasswordLogin: false } });
    const person = await site.person();
    const browser = site.browser();
    const page = await browser.open(`${site.base}/signin`);
    expect(page.forms.flatMap(({ fields }) => fields.map(({ name }) => name))).not.toContain('password');
    const token = (await site.begin(browser, {})).url.searchParams.get('flow') ?? '';
    const tried = await browser.post(`${site.base}/signin`, {
      flow: token,
      identifier: person.email,
      password: person.password,
      csrf: site.csrf(browser, `${site.base}/signin`),
    });
    expect(tried.status).toBe(422);
    expect(browser.cookies.named(/_session_/)).toBeUndefined();
  });
});
