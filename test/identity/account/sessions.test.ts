import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SignInSite, SignInWorld } from '../signin/world.ts';
import { again, entriesOf, type Visitor, visitor } from './account-world.ts';

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

async function isIn({ open }: Visitor): Promise<boolean> {
  return (await open()).heading.startsWith('Hello');
}

describe('devices', () => {
  test('are shown, this one marked, and another one is signed out by itself', async () => {
    const phone = await again(site, anne.person);
    const laptop = await again(site, anne.person);
    const page = await anne.open('/sessions');
    expect(page.text.match(/Firefox/g)?.length).toBeGreaterThanOrEqual(3);
    expect(page.text.match(/This device/g)).toHaveLength(1);
    const forms = page.forms.filter(({ action }) => action.endsWith('/sessions/end'));
    expect(forms).toHaveLength(2);
    const [first] = forms;
    const session = first?.fields.find(({ name }) => name === 'session')?.value ?? '';
    const csrf = first?.fields.find(({ name }) => name === 'csrf')?.value ?? '';
    const done = await anne.browser.post(`${site.base}/account/sessions/end`, { csrf, session });
    expect(done.text).toContain('The device was signed out.');
    expect([await isIn(anne), await isIn(phone), await isIn(laptop)].filter((each) => each)).toHaveLength(2);
    expect(await isIn(anne)).toBe(true);
    expect(await entriesOf(site, 'session.end')).toMatchObject([{ eventType: 'user.logout', targetId: session }]);
  });

  test('are all signed out but this one', async () => {
    const others = [await again(site, anne.person), await again(site, anne.person)];
    const done = await anne.browser.submit(await anne.open('/sessions'), {}, { button: 'Sign out everywhere else' });
    expect(done.text).toContain('You were signed out everywhere else.');
    for (const other of others) expect(await isIn(other)).toBe(false);
    expect(await isIn(anne)).toBe(true);
    expect((await anne.open('/sessions')).forms.map(({ action }) => action)).toEqual([`${site.base}/signout`]);
    expect(await entriesOf(site, 'session.end_others')).toHaveLength(1);
    const log = await site.provider.organization.org('GET', '/admin/sessions/count');
    expect(log.at('data.data.count')).toBe(1);
    await site.provider.service.sweep();
    expect(await isIn(anne)).toBe(true);
  });

  test('of others are not ended, and not told of', async () => {
    const bob = await visitor(site);
    const sessions = await site.provider.organization.org('GET', `/admin/users/${bob.person.id}/sessions`);
    const session = sessions.text('data.data.0.id');
    const phone = await again(site, anne.person);
    const page = await anne.open('/sessions');
    const form = page.forms.find(({ action }) => action.endsWith('/sessions/end'));
    const csrf = form?.fields.find(({ name }) => name === 'csrf')?.value ?? '';
    for (const each of [session, 'nothing', '']) {
      const answer = await anne.browser.post(`${site.base}/account/sessions/end`, { csrf, session: each });
      expect(answer.status).toBe(404);
    }
    expect([await isIn(bob), await isIn(phone)]).toEqual([true, true]);
  });
});

describe('signing out', () => {
  test('ends the session, and takes the cookies away', async () => {
    const done = await anne.browser.submit(await anne.open(), {}, { button: 'Sign out' });
    expect(done.heading).toBe('You’re signed out');
    expect(anne.browser.cookies.named(/session|state/)).toBeUndefined();
    expect(await isIn(anne)).toBe(false);
  });

  test('a session that ended elsewhere is refused at the next request, and a form of it does nothing', async () => {
    const page = await anne.open('/profile');
    await site.provider.organization.org('DELETE', `/admin/users/${anne.person.id}/sessions`);
    const late = await anne.browser.submit(page, { name: 'Too late' });
    expect(late.url.pathname).toBe(`${site.base}/signin`);
    expect(await entriesOf(site, 'user.update_own')).toEqual([]);
  });

  test.each([
    { name: 'is not used', sessionPolicy: { idleTimeout: 600, maxAge: 7200 }, pause: 601, times: 1, stays: false },
    { name: 'is used', sessionPolicy: { idleTimeout: 600, maxAge: 7200 }, pause: 599, times: 6, stays: true },
    {
      name: 'is old, however much it is used',
      sessionPolicy: { idleTimeout: 600, maxAge: 1800 },
      pause: 599,
      times: 4,
      stays: false,
    },
  ])('by the clock: a session that $name', async ({ sessionPolicy, pause, times, stays }) => {
    await site.set('tenant', { sessionPolicy });
    const { service } = site.provider;
    for (let i = 0; i < times; i++) {
      service.clock.advance(pause * 1000);
      const goesOn = await isIn(anne);
      if (i < times - 1) expect(goesOn).toBe(true);
      else expect(goesOn).toBe(stays);
      await service.signedIn.flush();
    }
  });
});
