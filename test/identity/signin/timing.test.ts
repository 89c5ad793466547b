import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PasswordHasher } from '../../../src/directory/users/index.ts';
import { fromAnother, whichIsSlower } from './turn-by-turn.ts';
import { type SignInSite, SignInWorld } from './world.ts';

describe('what the time of an answer tells', () => {
  let world: SignInWorld;
  let site: SignInSite;

  beforeAll(async () => {
    world = await SignInWorld.start();
    site = await world.organization({
      authentication: { allowSignup: true },
      auth: { login_flow: { magic_link_enabled: true } },
      tenant: { loginPolicy: { maxAttempts: 1000 } },
    });
  });
  afterAll(() => world.stop());

  const PAIRS = 80;

  /** What is done before the answer. */
  async function workOf(ask: () => Promise<unknown>): Promise<{ commits: number; hashes: number }> {
    const verify = vi.spyOn(PasswordHasher.prototype, 'verify');
    const { service } = site.provider;
    const before = service.revision();
    await ask();
    const done = { commits: service.revision() - before, hashes: verify.mock.calls.length };
    verify.mockRestore();
    return done;
  }

  const ways = [
    {
      name: 'a password',
      path: '/signin',
      fields: { password: 'wrong', way: 'password' },
      field: 'identifier',
      status: 422,
    },
    { name: 'a link to sign in', path: '/signin', fields: { way: 'link' }, field: 'identifier', status: 303 },
    { name: 'a forgotten password', path: '/signin/forgot', fields: {}, field: 'email', status: 303 },
    { name: 'signing up', path: '/signin/signup', fields: {}, field: 'email', status: 303 },
  ] as const;

  it.each(ways)(
    '$name: nothing about who has an account',
    { timeout: 300_000 },
    async ({ path, fields, field, status }) => {
      const browser = site.browser();
      const flow = (await site.begin(browser)).url.searchParams.get('flow') ?? '';
      const action = `${site.base}${path}`;
      const csrf = site.csrf(browser, action);
      const person = await site.person();
      // addresses as long as the known one, and each side has as many of them
      const unknown = person.email.replace('person', 'nobody');
      const statuses = new Set<number | undefined>();
      const took = async (name: string): Promise<number> => {
        const before = performance.now();
        const page = await browser.post(action, { ...fields, [field]: name, flow, csrf }, fromAnother());
        const ms = performance.now() - before;
        statuses.add(page.steps[0]?.status);
        return ms;
      };
      const known = await workOf(() => took(person.email));
      const nobody = await workOf(() => took(unknown));
      expect(known.commits + known.hashes).toBeGreaterThan(0);
      expect(nobody.hashes).toBe(known.hashes);
      // a wrong password is put on record at any time after the answer
      if (status === 303) expect(nobody.commits).toBe(known.commits);
      const slower = await whichIsSlower(
        { one: () => took(person.email), other: () => took(unknown) },
        PAIRS,
        (ms) => 1.1 * ms,
      );
      expect(slower).toBeUndefined();
      expect([...statuses]).toEqual([status]);
    },
  );
});
