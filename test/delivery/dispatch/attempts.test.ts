import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendAttempt } from '../../../src/delivery/dispatch/index.ts';
import { OutboundGuard, outboundRequest } from '../../../src/platform/index.ts';
import { HOUR, MINUTE, startWorld, type World } from './dispatch-world.ts';
import type { Behaviour } from './receiver.ts';

const answers =
  (status: number, headers: Record<string, string> = {}, body = 'no'): Behaviour =>
  (_, answer) =>
    void answer.writeHead(status, headers).end(body);

const documented = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, 39 * MINUTE];

const fail: { name: string; behaviour: Behaviour; attempt: object }[] = [
  { name: 'fails', behaviour: answers(500), attempt: { status: 500, response: 'no' } },
  { name: 'hangs', behaviour: () => {}, attempt: { error: 'timeout' } },
  { name: 'redirects', behaviour: answers(302, { location: '/elsewhere' }), attempt: { status: 302 } },
  { name: 'resets', behaviour: (request) => request.socket.resetAndDestroy(), attempt: { error: 'failed' } },
  {
    name: 'begins and never ends',
    behaviour: (_, answer) => void answer.writeHead(200).write('{'),
    attempt: { error: 'timeout' },
  },
  {
    name: 'sends headers without an end',
    behaviour: ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = setInterval(() => socket.write(`x-${Math.random()}: ${'a'.repeat(1000)}\r\n`), 1);
      socket.on('error', () => {});
      socket.on('close', () => clearInterval(more));
    },
    attempt: { error: 'too_large' },
  },
  { name: 'refuses', behaviour: answers(404), attempt: { status: 404 } },
];

describe('a receiver', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(1000);
  });
  afterAll(() => world.stop());

  it('that echoes the request leaves no secret in the record', async () => {
    const { service, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('echoes');
    const echo: Behaviour = ({ headers }, answer) =>
      void answer.end(
        `${headers['x-relata-signature']} ${headers['webhook-signature']} Bearer abcdefghijklmnop ${headers['webhook-id']} ok`,
      );
    await webhook(one, '/echoes', echo);
    const dispatcher = newDispatcher();
    await happen(one, 1);
    await settle(dispatcher);
    const [attempt] = deliveries(one)[0]?.document.attempts ?? [];
    expect(attempt?.response).toMatch(/^\*{8} \*{8} Bearer \S+ event-\d+ ok$/);
    expect(attempt?.response).not.toContain('abcdefghijklmnop');
    await dispatcher.stop();
  });

  it('that names the address of the webhook leaves nothing of its path in the record', async () => {
    const { service, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('names-address');
    const path = '/hooks/0123456789abcdef?token=the-token';
    await webhook(one, path, ({ url, headers }, answer) => {
      answer.writeHead(404).end(`Cannot POST ${url} at ${headers.host}: 0123456789abcdef and the-token are unknown`);
    });
    const dispatcher = newDispatcher();
    await happen(one, 1);
    await settle(dispatcher);
    const [attempt] = deliveries(one)[0]?.document.attempts ?? [];
    expect(attempt?.response).toMatch(/^Cannot POST \*{8} at 127\.0\.0\.1:\d+: \*{8} and \*{8} are unknown$/);
    await dispatcher.stop();
  });

  it.each([1, 20, 50])(
    'that breaks off after %i characters of a secret leaves none of it in the record',
    async (kept) => {
      const { service, newDispatcher, webhook, happen, settle, deliveries } = world;
      const one = await service.organization(`cut-${kept}`);
      const echo =
        (name: string): Behaviour =>
        ({ headers }, answer) =>
          void answer.end(`${'.'.repeat(4096 - kept)}${headers[name]}${'.'.repeat(5000)}`);
      await webhook(one, `/cut-${kept}`, echo('x-relata-signature'));
      await webhook(one, `/cut-${kept}-too`, (_, answer) => {
        answer.end(`${'.'.repeat(4096 - 7 - kept)}Bearer ${'abcdefghij'.repeat(500)}`);
      });
      const dispatcher = newDispatcher();
      await happen(one, 1);
      await settle(dispatcher);
      const answers = deliveries(one).map(({ document }) => document.attempts[0]?.response ?? '');
      expect(answers.map((text) => text.replace(/^\.+/, ''))).toEqual(['********', '********']);
      await dispatcher.stop();
    },
  );

  it.each(fail)('that $name gets the documented attempts at the documented times', async (given) => {
    const { service, receiver, newDispatcher, webhook, happen, settle, deliveries, state } = world;
    const slug = given.name.replaceAll(' ', '-');
    const one = await service.organization(slug);
    const id = await webhook(one, `/${slug}`, given.behaviour);
    const dispatcher = newDispatcher();
    const [event] = await happen(one, 1);
    const start = service.clock.now();
    for (const gap of documented) {
      service.clock.advance(Math.max(0, gap - 1));
      await settle(dispatcher);
      const before = deliveries(one)[0]?.document.attempted ?? 0;
      service.clock.advance(Math.min(1, gap));
      await settle(dispatcher);
      expect(deliveries(one)[0]?.document.attempted).toBe(gap === 0 ? 1 : before + 1);
    }
    const [delivery] = deliveries(one);
    const times = [0, 1, 6, 21, 60].map((minutes) => start + minutes * MINUTE);
    expect(delivery?.document).toMatchObject({
      status: 'failed',
      attempted: 5,
      attempts: times.map((at) => ({ at, ...given.attempt })),
    });
    expect(delivery?.document).not.toHaveProperty('dueAt');
    expect(new Set(receiver.at(`/${slug}`).map((each) => each.id))).toEqual(new Set([event]));
    expect(receiver.at('/elsewhere')).toEqual([]);
    service.clock.advance(HOUR);
    await settle(dispatcher);
    expect(deliveries(one)[0]?.document.attempted).toBe(5);
    expect(state(one, id)).toMatchObject({ delivered: 0, failed: 1, consecutiveFailures: 1 });
    await dispatcher.stop();
  });

  it('that answers with 10 MB has got it, and 4 KB of that are kept', async () => {
    const { service, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('long');
    await webhook(one, '/long', answers(200, { 'set-cookie': 'secret=1' }, 'x'.repeat(10_000_000)));
    const dispatcher = newDispatcher();
    await happen(one, 1);
    await settle(dispatcher);
    const [delivery] = deliveries(one);
    expect(delivery?.document).toMatchObject({ status: 'delivered', attempted: 1 });
    expect(delivery?.document.attempts[0]?.response).toBe('x'.repeat(4096));
    expect(JSON.stringify(delivery)).not.toContain('secret=1');
    await dispatcher.stop();
  });

  it('that answers 410 gets nothing more', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('gone');
    const id = await webhook(one, '/gone', answers(410));
    const dispatcher = newDispatcher();
    await happen(one, 3);
    await settle(dispatcher);
    expect(receiver.at('/gone')).toHaveLength(1);
    expect(deliveries(one).map(({ document }) => document.status)).toEqual(['failed']);
    const shown = await service.call('GET', `/t/gone/api/v1/admin/webhooks/${id}`, { key: one.key });
    expect(JSON.stringify(shown.body)).toContain('gone');
    await dispatcher.stop();
  });

  it.each([429, 502, 503, 504])('that answers %i with Retry-After is left alone for so long', async (status) => {
    const { service, receiver, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization(`slow-${status}`);
    const path = `/slow-${status}`;
    await webhook(one, path, answers(status, { 'retry-after': '120' }));
    const dispatcher = newDispatcher();
    await happen(one, 2);
    await settle(dispatcher);
    expect(receiver.at(path)).toHaveLength(1);
    expect(deliveries(one)[0]?.document.dueAt).toBe(service.clock.now() + 2 * MINUTE);
    receiver.behaviours.delete(path);
    service.clock.advance(2 * MINUTE - 1);
    await settle(dispatcher);
    expect(receiver.at(path)).toHaveLength(1);
    service.clock.advance(1);
    await settle(dispatcher);
    expect(receiver.firsts(path)).toHaveLength(2);
    expect(deliveries(one).map(({ document }) => document.status)).toEqual(['delivered', 'delivered']);
    await dispatcher.stop();
  });

  it('that asks for a week gets a quarter of an hour', async () => {
    const { service, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('week');
    await webhook(one, '/week', answers(429, { 'retry-after': '604800' }));
    const dispatcher = newDispatcher();
    await happen(one, 1);
    await settle(dispatcher);
    expect(deliveries(one)[0]?.document.dueAt).toBe(service.clock.now() + 15 * MINUTE);
    await dispatcher.stop();
  });
});

it.each([
  ['has no address', async () => []],
  ['is unknown', () => Promise.reject(new Error('ENOTFOUND'))],
  ['has a private address', async () => [{ address: '10.0.0.1' }]],
  ['has one among public ones', async () => [{ address: '93.184.216.34' }, { address: '10.0.0.1' }]],
] as const)('that a name %s is told as of any that cannot be reached', async (_, lookup) => {
  const guard = new OutboundGuard(false, lookup);
  const { attempt } = await sendAttempt(
    { send: (request) => outboundRequest(guard, request), clock: { now: () => 1 }, log: { warn: () => {} } as never },
    async () => ({ url: 'https://inside.example/', method: 'POST' }),
  );
  expect(attempt).toEqual({ at: 1, durationMs: expect.any(Number), error: 'unreachable' });
});
