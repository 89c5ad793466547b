import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExchangeScene } from '../protocols/oauth/grants/exchange-scene.ts';
import type { ClockedProvider } from '../protocols/oauth/in-process.ts';

let scene: ExchangeScene;
let provider: ClockedProvider;

beforeAll(async () => {
  scene = await ExchangeScene.start('nocommit');
  provider = scene.provider;
});
afterAll(() => scene.stop());

const LIFE_MS = 60_000;

/** Answered by the thread of the request, which keeps what it has found; others ask the pool, which judges by itself. */
const profile = (): string => `/admin/users/${scene.user.id}`;
const paths: readonly [permission: string, path: () => string][] = [
  ['users.read', profile],
  ['models.read', () => '/zanzibar/models'],
  ['tuples.read', () => '/zanzibar/tuples'],
];

function expiring(permission: string, subject: string) {
  return {
    object: `permission:${permission}`,
    relation: 'granted',
    subject,
    expiresAt: new Date(provider.now() + LIFE_MS).toISOString(),
  };
}

async function write(...writes: readonly object[]): Promise<void> {
  const answer = await provider.organization.org('POST', '/zanzibar/tuples', { body: { writes } });
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
}

/** What is answered before and after a right has expired, while nothing at all is committed. */
async function aroundItsEnd(key: string, path: string): Promise<number[]> {
  const before = [await provider.status(key, path), await provider.status(key, path)];
  const revision = provider.service.revision();
  provider.service.clock.advance(LIFE_MS - 1);
  before.push(await provider.status(key, path));
  provider.service.clock.advance(1);
  const after = await provider.status(key, path);
  expect(provider.service.revision()).toBe(revision);
  return [...before, after];
}

const atItsEnd = [200, 200, 200, 403];

describe('a right that expires ends on time, without a commit', () => {
  test.each(paths)('%s of a key', async (permission, path) => {
    const made = await provider.admin('POST', '/admin/api-keys', { name: 'passing' });
    await write(expiring(permission, made.text('data.subject')));
    expect(await aroundItsEnd(made.text('data.key'), path())).toEqual(atItsEnd);
  });

  test.each(['role', 'group'])('through a %s', async (type) => {
    const made = await provider.admin('POST', '/admin/api-keys', { name: 'passing' });
    const { id: user } = await scene.newUser();
    const { access } = await scene.session({ id: user, email: '' });
    const slug = `passing-${type}`;
    await provider.admin('POST', '/admin/roles', { slug, name: slug });
    const grant = { object: 'permission:users.read', relation: 'granted', subject: `role:${slug}#assignee` };
    if (type === 'role') {
      await write(grant, { ...expiring('x', made.text('data.subject')), object: `role:${slug}`, relation: 'assignee' });
      expect(await aroundItsEnd(made.text('data.key'), profile())).toEqual(atItsEnd);
    } else {
      await provider.admin('POST', '/admin/groups', { name: slug });
      const all = { object: `role:${slug}`, relation: 'assignee', subject: `group:${slug}#member` };
      await write(grant, all, { ...expiring('x', `user:${user}`), object: `group:${slug}`, relation: 'member' });
      expect(await aroundItsEnd(access, profile())).toEqual(atItsEnd);
    }
  });

  test('of the user behind a token', async () => {
    const who = await scene.newUser();
    const { access } = await scene.session(who);
    await write(expiring('users.read', `user:${who.id}`));
    expect(await aroundItsEnd(access, profile())).toEqual(atItsEnd);
  });

  test('of the agent that acts with a token, and of the user for whom it acts', async () => {
    const agent = `oauth_client:${scene.agent.id}`;
    const delegated = async (who: { id: string; email: string }) =>
      (await scene.exchanged(scene.agent, (await scene.session(who)).access)).token;
    const lasting = await scene.newUser(['users.read']);
    const passing = await scene.newUser();
    await write(expiring('users.read', `user:${passing.id}`));
    expect(await aroundItsEnd(await delegated(passing), profile())).toEqual(atItsEnd);
    await write(expiring('users.read', agent));
    expect(await aroundItsEnd(await delegated(lasting), profile())).toEqual(atItsEnd);
    // each alone: the user's own right goes on
    expect(await provider.status((await scene.session(lasting)).access, profile())).toBe(200);
    await scene.grant('users.read', agent);
  });
});
