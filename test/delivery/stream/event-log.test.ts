import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Organization, RunningService } from '../../server/running-service.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly data: Record<string, unknown>;
  readonly cursor: string;
}

let service: RunningService;
let org: Organization;
let other: Organization;

beforeAll(async () => {
  service = await RunningService.start({
    RELATA_LIMIT_WATCHERS_PER_CREDENTIAL: '3',
    RELATA_LIMIT_HEARTBEAT_MS: '200',
  });
  org = await service.organization('events-a');
  other = await service.organization('events-b');
});
afterAll(() => service.stop());

const opened: AbortController[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.abort();
});

const bases = { generic: (slug: string) => `/orgs/${slug}/api/v1`, tenant: (slug: string) => `/t/${slug}/api/v1` };

async function read(of: Organization, query = '', base = bases.tenant, key = of.key) {
  return service.call('GET', `${base(of.slug)}/admin/events${query}`, { key });
}

/** What stands in the envelope: the org family has two. */
function content({ body }: { readonly body: unknown }) {
  const { data } = body as { data: { data?: object } };
  return (data.data ?? data) as { events: Event[]; cursor: string; hasMore: boolean };
}

let made = 0;
async function makeRole(of: Organization): Promise<string> {
  made += 1;
  const slug = `role-${made}`;
  const answer = await service.call('POST', `${bases.tenant(of.slug)}/admin/roles`, {
    key: of.key,
    body: { slug, name: slug },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return slug;
}

/** Everything that there is, page by page. */
async function readAll(of: Organization, query = '', limit = 2): Promise<Event[]> {
  const events: Event[] = [];
  let after = '';
  for (;;) {
    const { events: found, cursor, hasMore } = content(await read(of, `?limit=${limit}${query}${after}`));
    expect(found.length).toBeLessThanOrEqual(limit);
    events.push(...found);
    if (!hasMore) return events;
    after = `&after=${cursor}`;
  }
}

/** A stream; `next` waits for its next event. */
async function follow(of: Organization, query = '', headers: Record<string, string> = {}, key = of.key) {
  const stop = new AbortController();
  opened.push(stop);
  const response = await fetch(`${service.url}${bases.tenant(of.slug)}/admin/events${query}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    async next(): Promise<{ id?: string; event?: string; data: Event } | undefined> {
      for (;;) {
        const at = text.indexOf('\n\n');
        if (at >= 0) {
          const lines = text.slice(0, at).split('\n');
          text = text.slice(at + 2);
          const fields = Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
          if (fields.data !== undefined) return { ...fields, data: JSON.parse(fields.data) };
          continue;
        }
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) return undefined;
        text += value;
      }
    },
  };
}

describe('pages of events', () => {
  test('have each event once, in the order of the commits, in both families', async () => {
    const roles = [await makeRole(org), await makeRole(org), await makeRole(org)];
    const events = await readAll(org);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const created = events.filter(({ type }) => type === 'role.created').map(({ data }) => JSON.stringify(data));
    expect(created).toHaveLength(3);
    for (const [index, slug] of roles.entries()) expect(created[index]).toContain(slug);
    expect(await readAll(org, '', 200)).toEqual(events);
    expect(content(await read(org, '', bases.generic)).events).toEqual(events);
  });

  test('have the types and the resource that are asked for', async () => {
    const slug = await makeRole(org);
    const all = await readAll(org);
    const roles = await readAll(org, '&types=role.created');
    expect(roles).toEqual(all.filter(({ type }) => type === 'role.created'));
    const about = await readAll(org, `&resource=role:${slug}`);
    expect(about.map(({ type }) => type)).toEqual(['role.created']);
    expect(await readAll(org, '&resource=role:nothing')).toEqual([]);
    expect(await readAll(org, `&types=user.created&resource=role:${slug}`)).toEqual([]);
  });

  test('go on from a page without events', async () => {
    await makeRole(org);
    const { events, cursor, hasMore } = content(await read(org, '?types=user.deleted'));
    expect({ events, hasMore }).toEqual({ events: [], hasMore: false });
    const slug = await makeRole(org);
    const found = content(await read(org, `?after=${cursor}`)).events;
    expect(found.map(({ data }) => JSON.stringify(data)).join()).toContain(slug);
    expect(found).toHaveLength(1);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=201', 'limit'],
    ['?limit=x', 'limit'],
    ['?types=role.made', 'types'],
    [`?types=${Array(51).fill('role.created').join(',')}`, 'types'],
    ['?resource=role', 'resource'],
    [`?resource=role:${'x'.repeat(300)}`, 'resource'],
    ['?after=', 'after'],
    [`?after=${'A'.repeat(200)}`, 'after'],
    ['?unknown=1', 'unknown'],
  ])('%s is refused, with the name of the field', async (query, field) => {
    const { status, body } = await read(org, query);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(field);
  });

  test.each([['nonsense'], ['AAAA'], ['*'], ['..']])('the cursor %s is refused', async (cursor) => {
    const { status, body } = await read(org, `?after=${cursor}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('invalid_cursor');
  });

  test('a cursor is refused where any of its characters is another, and by another organization', async () => {
    await makeRole(other);
    const { cursor } = content(await read(org));
    for (let at = 0; at < cursor.length; at++) {
      const changed = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
      expect((await read(org, `?after=${changed}`)).status).toBe(400);
    }
    expect((await read(other, `?after=${cursor}`)).status).toBe(400);
    expect((await follow(other, `?after=${cursor}`)).response.status).toBe(400);
  });

  test('are for those alone who may read the audit log of this organization', async () => {
    expect((await read(org, '', bases.tenant, other.key)).status).toBe(401);
    const key = await service.call('POST', `${bases.tenant(org.slug)}/admin/api-keys`, {
      key: org.key,
      body: { name: 'no audit', permissions: ['roles.read'] },
    });
    expect(key.status).toBe(201);
    const secret = /"(?:key|apiKey|secret)":"([^"]+)"/.exec(JSON.stringify(key.body))?.[1];
    expect((await read(org, '', bases.tenant, String(secret))).status).toBe(403);
  });
});

describe('the stream of events', () => {
  test('sends what happens from now on, and nothing of another organization', async () => {
    const stream = await follow(org);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    await makeRole(other);
    const slug = await makeRole(org);
    const event = await stream.next();
    expect(event).toMatchObject({ event: 'role.created', data: { type: 'role.created' } });
    expect(JSON.stringify(event?.data.data)).toContain(slug);
    expect(event?.id).toBe(event?.data.cursor);
    const page = content(await read(org, '?limit=200')).events;
    expect(page.at(-1)).toEqual(event?.data);
  });

  test('goes on after the event that was the last, by header or parameter, without a gap', async () => {
    const first = await follow(org, '?types=role.created');
    await makeRole(org);
    const last = await first.next();
    const missed = [await makeRole(org), await makeRole(org)];
    for (const again of [
      await follow(org, '?types=role.created', { 'last-event-id': String(last?.id) }),
      await follow(org, `?types=role.created&after=${last?.id}`),
    ]) {
      for (const slug of missed) expect(JSON.stringify((await again.next())?.data.data)).toContain(slug);
    }
  });

  test('sends the types and the resource that are asked for', async () => {
    const slug = `role-${made + 2}`;
    const stream = await follow(org, `?types=role.created&resource=role:${slug}`);
    await makeRole(org);
    await makeRole(org);
    expect(JSON.stringify((await stream.next())?.data.data)).toContain(slug);
  });

  test('ends when its key is revoked', async () => {
    const path = `${bases.tenant(org.slug)}/admin/api-keys`;
    const created = await service.call('POST', path, {
      key: org.key,
      body: { name: 'reader', permissions: ['audit.read'] },
    });
    const text = JSON.stringify(created.body);
    const secret = String(/"(?:key|apiKey|secret)":"([^"]+)"/.exec(text)?.[1]);
    const id = String(/"id":"([^"]+)"/.exec(text)?.[1]);
    const stream = await follow(org, '?types=role.created', {}, secret);
    expect(stream.response.status).toBe(200);
    expect((await service.call('DELETE', `${path}/${id}`, { key: org.key })).status).toBeLessThan(300);
    expect(await stream.next()).toBeUndefined();
  });

  test('ends when its key loses the permission', async () => {
    const path = `${bases.tenant(org.slug)}/admin/api-keys`;
    const body = { name: 'reader', permissions: ['audit.read', 'roles.read'] };
    const created = await service.call('POST', path, { key: org.key, body });
    const { subject, key } = created.at('data') as { readonly subject: string; readonly key: string };
    const stream = await follow(org, '?types=role.created', {}, key);
    const slug = await makeRole(org);
    expect(JSON.stringify((await stream.next())?.data.data)).toContain(slug);
    await org.post('/zanzibar/tuples', { deletes: [`permission:audit.read#granted@${subject}`] });
    await makeRole(org);
    expect(await stream.next()).toBeUndefined();
    expect((await follow(org, '', {}, key)).response.status).toBe(403);
  });

  test('is one of so many of a credential, with those of tuples', async () => {
    for (let i = 0; i < 3; i++) expect(await (await follow(other)).response.status).toBe(200);
    await expect.poll(async () => (await follow(other)).response.status).toBe(429);
    const watch = await service.call('GET', `/t/${other.slug}/api/v1/zanzibar/watch`, { key: other.key });
    expect(watch.status).toBe(429);
  });
});
