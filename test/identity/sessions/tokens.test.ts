import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService, isGoodToken, type NewUser } from './in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let anne: NewUser;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`tokens${++count}`);
  anne = await org.newUser('anne@example.com');
});
afterAll(() => service.stop());

const HOUR = 3_600_000;
const iso = (time: number): string => new Date(time).toISOString();

interface Wanted {
  readonly clientId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly type?: 'access' | 'refresh';
  readonly lifetimeMs?: number;
}

async function issued({ clientId = 'app', type = 'access', lifetimeMs = HOUR, ...rest }: Wanted = {}): Promise<string> {
  const grant = { clientId, type, scopes: ['openid'], expiresAt: service.clock.now() + lifetimeMs, ...rest };
  const token = await org.issue(grant);
  return token?.id ?? 'refused';
}

function isGood(id: string): boolean {
  return isGoodToken(org, id);
}

async function listed(query = ''): Promise<string[]> {
  const answer = await org.org('GET', `/admin/tokens${query}`);
  expect(answer.status).toBe(200);
  return answer.list('data.data').map((each) => (each as { id: string }).id);
}

describe('a token', () => {
  test('every field, in both families', async () => {
    const now = service.clock.now();
    const own = await issued({ userId: anne.id, type: 'refresh' });
    const machine = await issued({ clientId: 'job' });
    const times = { createdAt: iso(now), expiresAt: iso(now + HOUR), lastUsedAt: null };
    const data = [
      { id: own, type: 'refresh', clientId: 'app', userId: anne.id, scopes: ['openid'], ...times },
      { id: machine, type: 'access', clientId: 'job', userId: null, scopes: ['openid'], ...times },
    ];
    const meta = { total: 2, page: 1, totalPages: 1 };
    expect((await org.org('GET', '/admin/tokens')).body).toEqual({ data: { data, meta: { ...meta, limit: 20 } } });
    expect((await org.tenant('GET', '/admin/tokens')).body).toEqual({
      data,
      meta: { ...meta, limit: 25, hasNextPage: false, hasPreviousPage: false },
    });
  });

  test('begins with a time and epochs of its own, also where its grant is made of another token', async () => {
    const grant = { clientId: 'app', type: 'access', scopes: [], expiresAt: service.clock.now() + 9 * HOUR } as const;
    const first = await org.issue(grant);
    await org.org('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    service.clock.advance(1000);
    const second = await org.issue({ ...grant, ...first?.document });
    expect([first, second].map((token) => isGood(token?.id ?? ''))).toEqual([false, true]);
    expect(second?.document.createdAt).toBe(service.clock.now());
  });

  test('is revoked alone: its session goes on', async () => {
    const session = await org.signIn(anne);
    const bound = { userId: anne.id, sessionId: session.id };
    const [first, second] = [await issued(bound), await issued(bound)];
    expect((await org.org('DELETE', `/admin/tokens/${first}`)).status).toBe(204);
    expect([isGood(first), isGood(second), org.isSignedIn(session)]).toEqual([false, true, true]);
    expect(await listed()).toEqual([second]);
    expect((await org.org('DELETE', `/admin/tokens/${first}`)).status).toBe(404);
    expect((await org.tenant('DELETE', `/admin/tokens/${second}`)).status).toBe(204);
    const entries = await org.org('GET', '/admin/audit-logs?action=token.revoke');
    expect(entries.list('data.data')).toMatchObject([{ eventType: 'token.revoked' }, { eventType: 'token.revoked' }]);
  });

  test('ends with the session that it is bound to, whichever way that ends', async () => {
    const ways = [
      (id: string) => org.org('DELETE', `/admin/sessions/${id}`),
      () => org.org('DELETE', `/admin/users/${anne.id}/sessions`),
      async () => service.clock.advance(2 * HOUR),
    ];
    for (const end of ways) {
      const session = await org.signIn(anne);
      const bound = await issued({ userId: anne.id, sessionId: session.id, lifetimeMs: 10 * HOUR });
      const offline = await issued({ userId: anne.id, lifetimeMs: 10 * HOUR });
      await end(session.id);
      expect([isGood(bound), isGood(offline)]).toEqual([false, true]);
      expect(await listed(`?userId=${anne.id}&sortOrder=desc&limit=1`)).toEqual([offline]);
      expect(await issued({ userId: anne.id, sessionId: session.id })).toBe('refused');
      await service.sweep();
      expect([isGood(bound), isGood(offline)]).toEqual([false, true]);
    }
  });

  test('is not given for the session of another user', async () => {
    const session = await org.signIn(anne);
    const bob = await org.newUser('bob@example.com');
    expect(await issued({ userId: bob.id, sessionId: session.id })).toBe('refused');
  });

  test('expires, and is listed no longer', async () => {
    const short = await issued({ lifetimeMs: 1000 });
    const long = await issued({ lifetimeMs: HOUR });
    service.clock.advance(999);
    expect(await listed()).toEqual([short, long]);
    service.clock.advance(1);
    expect([isGood(short), isGood(long)]).toEqual([false, true]);
    expect(await listed()).toEqual([long]);
    expect((await org.org('DELETE', `/admin/tokens/${short}`)).status).toBe(404);
  });

  test('shows when it was last used, written at most once a minute', async () => {
    const { tokens } = service.signedIn;
    const { store } = org.organization;
    const id = await issued();
    const seen = async () => (await org.org('GET', '/admin/tokens')).at('data.data.0.lastUsedAt');
    const first = service.clock.now();
    tokens.touch(store, id);
    await tokens.flush();
    expect(await seen()).toBe(iso(first));
    service.clock.advance(30_000);
    tokens.touch(store, id);
    await tokens.flush();
    expect(await seen()).toBe(iso(first));
    service.clock.advance(30_000);
    await tokens.flush();
    expect(await seen()).toBe(iso(first + 30_000));
  });
});

describe('all tokens', () => {
  const owners = [
    { name: 'of a user', path: () => `/admin/users/${anne.id}/tokens`, goes: 'user' },
    { name: 'of a client', path: () => '/admin/clients/app/tokens', goes: 'client' },
  ];
  const ways = owners.flatMap((owner) =>
    (['org', 'tenant'] as const).flatMap((family) =>
      (['DELETE', 'POST'] as const).map((method) => ({ ...owner, family, method })),
    ),
  );
  test.each(ways)('$name end at once: $family family, $method', async ({ path, goes, family, method }) => {
    const session = await org.signIn(anne);
    const users = [
      await issued({ userId: anne.id, clientId: 'web' }),
      await issued({ userId: anne.id, clientId: 'web' }),
    ];
    const clients = [await issued(), await issued()];
    const answer = await org[family](method, method === 'POST' ? `${path()}/revoke` : path());
    const revoked = { revokedAt: iso(service.clock.now()) };
    const body = method === 'DELETE' ? '' : family === 'org' ? { data: { data: revoked } } : { data: revoked };
    expect([answer.status, answer.body]).toEqual([method === 'DELETE' ? 204 : 200, body]);
    expect(users.map(isGood)).toEqual(goes === 'user' ? [false, false] : [true, true]);
    expect(clients.map(isGood)).toEqual(goes === 'client' ? [false, false] : [true, true]);
    expect(await listed()).toEqual(goes === 'user' ? clients : users);
    expect(org.isSignedIn(session)).toBe(true);
    const next = await issued({ userId: anne.id });
    expect(isGood(next)).toBe(true);
    await service.sweep();
    expect(await listed()).toEqual([...(goes === 'user' ? clients : users), next]);
  });

  test('of nobody known are not found', async () => {
    for (const path of ['/admin/users/unknown/tokens', '/admin/clients/unknown/tokens']) {
      for (const family of ['org', 'tenant'] as const) {
        expect((await org[family]('DELETE', path)).status).toBe(404);
        expect((await org[family]('POST', `${path}/revoke`)).status).toBe(404);
      }
    }
  });

  test('of a client that is registered end where it was never given one', async () => {
    const wish = {
      name: 'A program',
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'client_secret_post',
    };
    const made = await org.org('POST', '/admin/clients', { body: wish });
    const path = `/admin/clients/${made.text('data.data.clientId')}/tokens`;
    for (const family of ['org', 'tenant'] as const) {
      expect((await org[family]('DELETE', path)).status).toBe(204);
      expect((await org[family]('POST', `${path}/revoke`)).status).toBe(200);
    }
  });

  test('end with everybody, those of clients too', async () => {
    const tokens = [await issued({ userId: anne.id }), await issued()];
    await org.org('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    expect(tokens.map(isGood)).toEqual([false, false]);
    expect(await listed()).toEqual([]);
    expect(isGood(await issued())).toBe(true);
  });
});

test('lists are filtered by user and client, paged and found by exact ids', async () => {
  const bob = await org.newUser('bob@example.com');
  const all = [
    await issued({ userId: anne.id }),
    await issued({ userId: anne.id, clientId: 'web' }),
    await issued({ userId: bob.id }),
    await issued({ clientId: 'web' }),
  ];
  const [first, second, third, fourth] = all;
  expect(await listed()).toEqual(all);
  expect(await listed('?sortOrder=desc')).toEqual(all.toReversed());
  expect(await listed('?limit=2&page=2')).toEqual([third, fourth]);
  expect(await listed(`?userId=${anne.id}`)).toEqual([first, second]);
  expect(await listed('?clientId=web')).toEqual([second, fourth]);
  expect(await listed(`?userId=${anne.id}&clientId=web`)).toEqual([second]);
  expect(await listed(`?search=${third}`)).toEqual([third]);
  expect(await listed('?q=web')).toEqual([second, fourth]);
  expect(await listed('?userId=unknown')).toEqual([]);
  expect((await org.org('GET', '/admin/tokens?offset=1&limit=2')).body).toMatchObject({
    items: [{ id: second }, { id: third }],
    total: 4,
    limit: 2,
    offset: 1,
  });
  for (const query of ['limit=101', 'sortBy=scopes', `userId=${'u'.repeat(257)}`, 'type=access']) {
    expect((await org.org('GET', `/admin/tokens?${query}`)).status).toBe(400);
  }
});
