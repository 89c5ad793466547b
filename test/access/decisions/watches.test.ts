import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whichIsSlower } from '../../identity/signin/turn-by-turn.ts';
import { type Organization, RunningService } from '../../server/running-service.ts';

const model = ['type user', 'type doc', '  relations', '    define viewer: [user]'];

/** Streams that were opened: each test closes its own. */
const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

interface Watch {
  readonly status: number;
  readonly body: unknown;
  close(): void;
}

/** A client that reads. */
async function watch(org: Organization, key = org.key): Promise<Watch> {
  const stop = new AbortController();
  const response = await fetch(`${org.service.url}/t/${org.slug}/api/v1/zanzibar/watch`, {
    headers: { authorization: `Bearer ${key}` },
    signal: stop.signal,
  });
  const close = (): void => stop.abort();
  opened.push(close);
  return { status: response.status, body: response.ok ? undefined : await response.json(), close };
}

/** A client that asks, and never reads an answer. */
function watchUnread(org: Organization, key = org.key): Promise<Socket> {
  const socket = connect({ port: org.service.port, host: '127.0.0.1' });
  opened.push(() => socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  const head = `GET /t/${org.slug}/api/v1/zanzibar/watch HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`;
  return new Promise((resolve) => {
    socket.once('connect', () => socket.write(head, () => resolve(socket)));
  });
}

let commits = 0;

/** A commit of some 600 KB as it is sent. */
async function writeLarge(org: Organization): Promise<void> {
  const name = `${commits++}-${'x'.repeat(200)}`;
  const writes = Array.from({ length: 1000 }, (_, n) => `doc:${name}-${n}#viewer@user:${name}-${n}`);
  expect((await org.post('/zanzibar/tuples', { writes })).status).toBe(200);
}

describe('streams of changes', () => {
  let service: RunningService;
  let org: Organization;
  let other: Organization;

  beforeAll(async () => {
    service = await RunningService.start({
      RELATA_THREADS: '2',
      RELATA_LIMIT_WATCHERS_PER_ORGANIZATION: '6',
      RELATA_LIMIT_WATCHERS_PER_CREDENTIAL: '4',
      RELATA_LIMIT_UNREAD_MS: '300',
    });
    org = await service.organization('watched');
    other = await service.organization('elsewhere');
    for (const each of [org, other]) await each.model(...model);
  });
  afterAll(() => service.remove());

  test('a credential has so many over all threads, an organization so many over all credentials', async () => {
    const { key } = await org.newKey({ permissions: ['tuples.read'] });
    const mine = [];
    for (let n = 0; n < 4; n++) mine.push(await watch(org));
    expect(mine.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await watch(org)).toMatchObject({
      status: 429,
      body: { detail: 'The credential has 4 change streams open, which is the limit.' },
    });
    for (let n = 0; n < 2; n++) expect((await watch(org, key)).status).toBe(200);
    expect(await watch(org, key)).toMatchObject({
      status: 429,
      body: { detail: 'The organization has 6 change streams open, which is the limit.' },
    });
    expect((await watch(other)).status).toBe(200);
    mine[0]?.close();
    await expect.poll(async () => (await watch(org, key)).status, { timeout: 30_000, interval: 50 }).toBe(200);
  });

  test('a client that does not read is let go', async () => {
    const { key } = await org.newKey({ permissions: ['tuples.read'] });
    for (let n = 0; n < 4; n++) await watchUnread(org, key);
    await expect.poll(async () => (await watch(org, key)).status, { timeout: 30_000, interval: 50 }).toBe(429);
    const freed = async (): Promise<number> => {
      await writeLarge(org);
      return (await watch(org, key)).status;
    };
    await expect.poll(freed, { timeout: 60_000, interval: 50 }).toBe(200);
  });
});

test('streams that nobody reads do not slow the writes of another organization', { timeout: 180_000 }, async () => {
  const service = await RunningService.start({
    RELATA_LIMIT_WATCHERS_PER_ORGANIZATION: '1000',
    RELATA_LIMIT_WATCHERS_PER_CREDENTIAL: '1000',
    RELATA_LIMIT_UNREAD_BYTES: '16777216',
  });
  try {
    const [watched, quiet, other] = await Promise.all(
      ['watched', 'quiet', 'other'].map((slug) => service.organization(slug)),
    );
    for (const each of [watched, quiet, other]) await each?.model(...model);
    /** How long the other organization's next writes take. */
    const writesAfter = async (org: Organization | undefined): Promise<number> => {
      await writeLarge(org as Organization);
      const before = performance.now();
      for (let n = 0; n < 5; n++) await other?.write(`doc:${commits++}#viewer@user:anne`);
      return performance.now() - before;
    };
    const slower = await whichIsSlower(
      {
        one: async () => {
          await Promise.all(Array.from({ length: 150 }, () => watchUnread(watched as Organization)));
          return writesAfter(watched);
        },
        other: () => writesAfter(quiet),
      },
      6,
      (ms) => 3 * ms + 150,
    );
    expect(slower).toBeUndefined();
  } finally {
    await service.remove();
  }
});
