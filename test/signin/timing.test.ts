import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignInSite, SignInWorld } from './world.ts';

/**
 * Requests in pairs, so that whatever else the machine does falls on both sides alike: which one of a pair takes longer
 * must be chance. Where one side saved a hash or a commit, it would be the faster one nearly always.
 */
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

  const ROUNDS = 80;

  const ways = [
    { name: 'a password', path: '/signin', fields: { password: 'wrong', way: 'password' }, field: 'identifier' },
    { name: 'a link to sign in', path: '/signin', fields: { way: 'link' }, field: 'identifier' },
    { name: 'a forgotten password', path: '/signin/forgot', fields: {}, field: 'email' },
    { name: 'signing up', path: '/signin/signup', fields: {}, field: 'email' },
  ] as const;

  // what chance or a busy machine does once, it does not do three times
  it.each(ways)('$name: nothing about who has an account', { retry: 2 }, async ({ path, fields, field }) => {
    const browser = site.browser();
    const flow = (await site.begin(browser)).url.searchParams.get('flow') ?? '';
    const action = `${site.base}${path}`;
    const csrf = site.csrf(browser, action);
    const person = await site.person();
    // addresses as long as the known one, and each side has as many of them
    const unknown = person.email.replace('person', 'nobody');
    const took = async (name: string): Promise<{ ms: number; status: number }> => {
      const before = performance.now();
      const page = await browser.post(action, { ...fields, [field]: name, flow, csrf });
      return { ms: performance.now() - before, status: page.steps[0]?.status ?? 0 };
    };
    for (const name of [person.email, unknown]) await took(name);
    let slower = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const order = round % 2 === 0 ? [person.email, unknown] : [unknown, person.email];
      const [one, other] = [await took(order[0] as string), await took(order[1] as string)];
      expect(one.status).toBe(other.status);
      const [known, nobody] = round % 2 === 0 ? [one.ms, other.ms] : [other.ms, one.ms];
      if (known > nobody) slower++;
    }
    // of coins that are fair, fewer than one in two thousand falls outside of this
    const share = slower / ROUNDS;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.7);
  });
});
