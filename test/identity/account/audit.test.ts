import { afterAll, beforeAll, expect, test } from 'vitest';
import { SignInWorld } from '../signin/world.ts';
import { visitor } from './account-world.ts';

let world: SignInWorld;

beforeAll(async () => {
  world = await SignInWorld.start();
});
afterAll(() => world.stop());

test('what people do at their account pages is on record with their address, as it was then', async () => {
  const site = await world.organization();
  const { browser, person, open } = await visitor(site, { name: 'Anne' });
  await browser.submit(await open('/profile'), { name: 'Anne Example' });
  const refused = await browser.submit(await open('/password'), { current: 'not it', password: 'another horse 9' });
  expect(refused.status).toBe(422);
  const wanted = 'another horse entirely 9';
  const changed = await browser.submit(await open('/password'), { current: person.password, password: wanted });
  expect(changed.text).toContain('Your password was changed.');
  const answer = await site.provider.organization.org('GET', `/admin/audit-logs?actorId=${person.id}&limit=100`);
  const entries = answer.list('data.data') as { action: string; actorType: string; actorEmail: unknown }[];
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['user.update_own', 'user.change_password']),
  );
  const users = entries.filter(({ actorType }) => actorType === 'user');
  expect(users.filter(({ actorEmail }) => actorEmail !== person.email)).toEqual([]);
});
