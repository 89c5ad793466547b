import { describe, expect, test } from 'vitest';
import { InFamily } from '../server/in-family.ts';
import { forbidden, scene } from './organizations.ts';

const on = scene();
const admin = () => new InFamily(on.org, 'org');
const tenant = () => new InFamily(on.org, 'tenant');

const policy = async (condition: string): Promise<string> => {
  await on.org.directory('permission:docs:burn');
  const body = { name: 'Burners', permissions: ['docs:burn'], condition };
  return (await admin().make('POST', '/policies', body)).id;
};

const anne = async (): Promise<string> =>
  (await admin().make('POST', '/users', { email: 'anne@attributes.example' })).id;

const burns = async (id: string): Promise<unknown> =>
  (await on.org.post('/authz/check', { permission: 'docs:burn', subject: `user:${id}` })).at('allowed');

describe('Rights 3: nobody gives through attributes what they do not hold', () => {
  test.each([
    ['subject.level >= 5', { metadata: { level: 9 } }],
    ['subject.metadata.level >= 5', { metadata: { level: 9 } }],
    ['subject["level"] >= 5', { metadata: { level: 9 } }],
    ['subject["le\\u0076el"] >= 5', { metadata: { level: 9 } }],
    ['has(subject.title) && subject.title == "CISO"', { title: 'CISO' }],
    ['subject.email.endsWith("@boss.example")', { email: 'anne@boss.example' }],
  ])('%s', async (condition, change) => {
    const id = await anne();
    const burners = await policy(condition);
    const { key } = await on.org.newKey({ permissions: ['users.update', 'users.create'] });
    expect(await admin().call('PATCH', `/users/${id}`, change, key)).toMatchObject(forbidden);
    expect(await tenant().call('PUT', `/users/${id}`, change, key)).toMatchObject(forbidden);
    if (!('email' in change)) {
      const body = { email: 'new@attributes.example', ...change };
      expect(await admin().call('POST', '/users', body, key)).toMatchObject(forbidden);
    }
    expect(await burns(id)).toBe(false);
    // what the policy does not ask about is a profile like the others
    expect((await admin().call('PATCH', `/users/${id}`, { locale: 'de' }, key)).status).toBe(
      condition.includes('[') ? 403 : 200,
    );
    // who holds what it gives may
    const holder = await on.org.newKey({ permissions: ['users.update', 'docs:burn'] });
    expect((await admin().call('PATCH', `/users/${id}`, change, holder.key)).status).toBe(200);
    expect(await burns(id)).toBe(true);
    // and a policy that does not apply asks for nothing
    await admin().make('PATCH', `/policies/${burners}`, { enabled: false });
    expect((await admin().call('PATCH', `/users/${id}`, { title: 'CEO', metadata: {} }, key)).status).toBe(200);
  });
});
