import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  facts,
  type InProcessOrganization,
  InProcessService,
  type NewUser,
  type SignedIn,
} from './in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let anne: NewUser;
let bob: NewUser;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`ending${++count}`);
  anne = await org.newUser('anne@example.com');
  bob = await org.newUser('bob@example.com');
});
afterAll(() => service.stop());

const revokedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const who = (...sessions: SignedIn[]): boolean[] => sessions.map((each) => org.isSignedIn(each));

async function entries(action: string) {
  const answer = await org.org('GET', `/admin/audit-logs?action=${action}`);
  return answer.list('data.data') as { eventType: string; targetId: string; targetType: string }[];
}

describe('one session', () => {
  test('ends at once, in both families, with an entry', async () => {
    const [first, second, third] = [await org.signIn(anne), await org.signIn(anne), await org.signIn(anne)];
    expect(await org.org('DELETE', `/admin/sessions/${first.id}`)).toMatchObject({ status: 204, body: '' });
    expect(await org.tenant('DELETE', `/admin/sessions/${second.id}`)).toMatchObject({ status: 204, body: '' });
    expect(who(first, second, third)).toEqual([false, false, true]);
    expect(await entries('session.revoke')).toMatchObject([
      { eventType: 'admin.action', targetType: 'session' },
      { eventType: 'admin.action', targetType: 'session' },
    ]);
    expect(await org.tenant('DELETE', `/admin/users/ANNE@example.com/sessions/${third.id}`)).toMatchObject({
      status: 204,
    });
    expect(who(third)).toEqual([false]);
  });

  test('that has ended is left as it is, and put on record once', async () => {
    const session = await org.signIn(anne);
    for (let i = 0; i < 2; i++) expect((await org.org('DELETE', `/admin/sessions/${session.id}`)).status).toBe(204);
    expect(await entries('session.revoke')).toHaveLength(1);
  });

  test('is not found under another user, in another organization, or by its secret', async () => {
    const session = await org.signIn(anne);
    const other = await service.organization(`other${count}`);
    for (const answer of [
      await org.tenant('DELETE', `/admin/users/${bob.id}/sessions/${session.id}`),
      await org.tenant('DELETE', `/admin/users/nobody/sessions/${session.id}`),
      await org.org('DELETE', '/admin/sessions/unknown'),
      await org.org('DELETE', `/admin/sessions/${session.secret}`),
      await other.org('DELETE', `/admin/sessions/${session.id}`),
      await other.tenant('DELETE', `/admin/users/${anne.id}/sessions`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await other.org('GET', '/admin/sessions')).at('data.meta.total')).toBe(0);
    expect(who(session)).toEqual([true]);
  });

  test('its user ends it, once', async () => {
    const session = await org.signIn(anne);
    const { sessions } = service.signedIn;
    expect(await sessions.end(org.organization, session.id, facts)).toBe(true);
    expect(await sessions.end(org.organization, session.id, facts)).toBe(false);
    expect(await sessions.end(org.organization, 'unknown', facts)).toBe(false);
    expect(who(session)).toEqual([false]);
    expect(await entries('session.end')).toMatchObject([
      { eventType: 'user.logout', targetId: session.id, actorId: anne.id, actorType: 'user' },
    ]);
  });
});

describe('all sessions of a user', () => {
  const ways = [
    {
      name: 'org family, DELETE',
      end: () => org.org('DELETE', `/admin/users/${anne.id}/sessions`),
      status: 204,
      body: '',
    },
    {
      name: 'org family, POST',
      end: () => org.org('POST', `/admin/users/${anne.id}/sessions/revoke`),
      status: 200,
      body: { data: { data: { revokedAt } } },
    },
    {
      name: 'tenant family, DELETE',
      end: () => org.tenant('DELETE', '/admin/users/anne@example.com/sessions'),
      status: 204,
      body: '',
    },
    {
      name: 'tenant family, POST',
      end: () => org.tenant('POST', `/admin/users/${anne.id}/sessions/revoke`),
      status: 200,
      body: { data: { revokedAt } },
    },
  ];
  test.each(ways)('end at once, and no other: $name', async ({ end, status, body }) => {
    const before = [await org.signIn(anne), await org.signIn(anne)];
    const others = await org.signIn(bob);
    const answer = await end();
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(body);
    expect(who(...before, others)).toEqual([false, false, true]);
    expect((await org.org('GET', '/admin/sessions/stats')).at('data.data')).toEqual({
      total: 3,
      active: 1,
      inactive: 2,
    });
    const after = await org.signIn(anne);
    expect(who(after)).toEqual([true]);
    expect(await entries('session.revoke_all')).toMatchObject([{ targetType: 'user', targetId: anne.id }]);
  });

  test('an unknown user is not found, by address or by id', async () => {
    for (const path of ['nobody@example.com', 'unknown', '999999']) {
      expect((await org.org('DELETE', `/admin/users/${path}/sessions`)).status).toBe(404);
      expect((await org.org('POST', `/admin/users/${path}/sessions/revoke`)).status).toBe(404);
      expect((await org.org('GET', `/admin/users/${path}/sessions`)).status).toBe(404);
    }
  });

  const changes = [
    { name: 'blocking', change: () => org.org('POST', `/admin/users/${anne.id}/block`) },
    { name: 'blocking in the tenant family', change: () => org.tenant('POST', `/admin/users/${anne.id}/block`) },
    {
      name: 'setting a password',
      change: () =>
        org.tenant('PUT', `/admin/users/${anne.id}/password`, { body: { password: 'correct horse 7 Battery!' } }),
    },
    { name: 'deleting', change: () => org.org('DELETE', `/admin/users/${anne.id}`) },
  ];
  test.each(changes)('$name ends them, and the tokens', async ({ change }) => {
    const session = await org.signIn(anne);
    const grant = {
      type: 'refresh',
      clientId: 'app',
      userId: anne.id,
      scopes: [],
      expiresAt: service.clock.now() + 1e6,
    } as const;
    await org.issue(grant);
    expect((await org.org('GET', '/admin/tokens')).at('data.meta.total')).toBe(1);
    const answer = await change();
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      expect.toSatisfy((status) => status < 300),
      expect.anything(),
    ]);
    expect(who(session)).toEqual([false]);
    expect((await org.org('GET', '/admin/tokens')).at('data.meta.total')).toBe(0);
  });

  test('a user who is blocked, inactive or gone does not sign in', async () => {
    await org.org('POST', `/admin/users/${anne.id}/block`);
    await expect(org.signIn(anne)).rejects.toThrow('may not sign in');
    await org.org('POST', `/admin/users/${anne.id}/unblock`);
    expect(who(await org.signIn(anne))).toEqual([true]);
    await org.org('DELETE', `/admin/users/${bob.id}`);
    await expect(org.signIn(bob)).rejects.toThrow('may not sign in');
  });

  test('what begins while everything is ended has ended too, or begins after it', async () => {
    const started = Array.from({ length: 20 }, () => org.signIn(anne));
    const ended = org.org('DELETE', `/admin/users/${anne.id}/sessions`);
    const more = Array.from({ length: 20 }, () => org.signIn(anne));
    const sessions = await Promise.all([...started, ...more]);
    expect((await ended).status).toBe(204);
    const live = sessions.filter((each) => org.isSignedIn(each)).map(({ id }) => id);
    const listed = (await org.org('GET', '/admin/sessions?isActive=true&limit=100')).list('data.data');
    expect(listed.map((each) => (each as { id: string }).id)).toEqual(live.toSorted());
  });
});

describe('everybody', () => {
  test.each(['org', 'tenant'] as const)('%s family: is signed out only with confirm: true', async (family) => {
    const sessions = [await org.signIn(anne), await org.signIn(bob)];
    const path = '/admin/sessions/revoke-all';
    for (const body of [{}, { confirm: 'true' }, { confirm: 1 }, { confirm: null }, [], { confirm: true, also: 1 }]) {
      expect(await org[family]('POST', path, { body })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
    expect((await org[family]('POST', path)).status).toBeGreaterThanOrEqual(400);
    expect(await org[family]('POST', path, { body: { confirm: false } })).toMatchObject({
      status: 422,
      body: { code: 'refused', errors: [{ path: 'confirm' }] },
    });
    expect(who(...sessions)).toEqual([true, true]);
    const answer = await org[family]('POST', path, { body: { confirm: true } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(family === 'org' ? { data: { data: { revokedAt } } } : { data: { revokedAt } });
    expect(who(...sessions)).toEqual([false, false]);
    expect((await org.org('GET', '/admin/sessions/stats')).at('data.data')).toEqual({
      total: 2,
      active: 0,
      inactive: 2,
    });
    expect((await org.org('GET', '/admin/sessions?isActive=false')).at('data.meta.total')).toBe(2);
    expect(who(await org.signIn(anne))).toEqual([true]);
    expect(await entries('session.revoke_all')).toMatchObject([
      { targetType: 'organization', targetId: org.organization.slug, severity: 'warning' },
    ]);
  });

  test('of one organization alone', async () => {
    const other = await service.organization(`other-all${count}`);
    const there = await other.signIn(await other.newUser('anne@example.com'));
    await org.org('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    expect(other.isSignedIn(there)).toBe(true);
    expect(org.isSignedIn(there)).toBe(false);
  });
});

describe('rights', () => {
  test('reading needs sessions.read, ending sessions.revoke, tokens the like', async () => {
    const session = await org.signIn(anne);
    const reader = await org.newKey('sessions.read', 'tokens.read');
    const ender = await org.newKey('sessions.revoke', 'tokens.revoke');
    const read = [
      '/admin/sessions',
      '/admin/sessions/stats',
      '/admin/sessions/count',
      `/admin/users/${anne.id}/sessions`,
      '/admin/tokens',
    ];
    const end = [
      ['DELETE', `/admin/sessions/${session.id}`],
      ['DELETE', `/admin/users/${anne.id}/sessions/${session.id}`],
      ['DELETE', `/admin/users/${anne.id}/sessions`],
      ['POST', `/admin/users/${anne.id}/sessions/revoke`],
      ['DELETE', '/admin/tokens/any'],
      ['DELETE', `/admin/users/${anne.id}/tokens`],
      ['POST', `/admin/users/${anne.id}/tokens/revoke`],
      ['DELETE', '/admin/clients/any/tokens'],
      ['POST', '/admin/clients/any/tokens/revoke'],
    ] as const;
    for (const family of ['org', 'tenant'] as const) {
      for (const path of read) {
        expect((await org[family]('GET', path, { key: reader })).status).toBe(200);
        expect((await org[family]('GET', path, { key: ender })).status).toBe(403);
      }
      for (const [method, path] of end) expect((await org[family](method, path, { key: reader })).status).toBe(403);
      const body = { confirm: true };
      expect((await org[family]('POST', '/admin/sessions/revoke-all', { key: reader, body })).status).toBe(403);
    }
    expect(who(session)).toEqual([true]);
    expect((await org.org('DELETE', `/admin/sessions/${session.id}`, { key: ender })).status).toBe(204);
  });
});
