import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type CallOptions, Organization, RunningService } from '../running-service.ts';

const launcher = [process.execPath, fileURLToPath(new URL('./with-tallies.mjs', import.meta.url))];
const added = { NODE_OPTIONS: `--import ${new URL('./tallies-module.mjs', import.meta.url).href}` };

const start = (environment: Readonly<Record<string, string>> = {}, folder?: string) =>
  RunningService.start({ ...added, ...environment }, folder, launcher);

interface Tally {
  readonly id: string;
  readonly at: number;
}

const tally = (org: Organization, fields: object, options: CallOptions = {}): Promise<Answer> =>
  org.post('/tallies', { name: 'n', count: 100, ...fields }, options);

const written = async (org: Organization): Promise<readonly Tally[]> =>
  (await org.call('GET', '/tallies')).body as readonly Tally[];

const timesOf = async (org: Organization, name: string) =>
  (await written(org)).filter(({ id }) => id.startsWith(`${name}-`)).map(({ at }) => at);

describe('the thread of tasks', () => {
  let service: RunningService;
  let count = 0;
  const organization = () => service.organization(`tallies-${++count}`);

  beforeAll(async () => {
    service = await start({ RELATA_THREADS: '2', RELATA_LIMIT_TASKS_PER_ORGANIZATION: '3' });
  });
  afterAll(() => service.remove());

  test('does a long write while acceptors go on answering checks', async () => {
    const org = await organization();
    let isDone = false;
    const done = tally(org, { count: 100, gapMs: 5 }, { headers: { 'user-agent': 'the test' } }).finally(() => {
      isDone = true;
    });
    let checks = 0;
    while (!isDone) {
      const check = await org.post('/authz/check', { permission: 'users.read', subject: 'user:nobody' });
      expect(check.status).toBe(200);
      checks++;
      await sleep(5);
    }
    const answer = await done;
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ written: 100, agent: 'the test', subject: expect.stringMatching(/^api_key:/) });
    expect(checks).toBeGreaterThan(20);
    expect((await written(org)).length).toBe(100);
  });

  test('gives each organization its turn, however many tasks another one has', async () => {
    const [busy, other] = [await organization(), await organization()];
    const many = Promise.all(['a', 'b', 'c', 'd'].map((name) => tally(busy, { name, gapMs: 20 })));
    await expect.poll(() => written(busy)).not.toEqual([]);
    const one = await tally(other, { gapMs: 20 });
    expect([one, ...(await many)].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const all = await written(busy);
    const firsts = ['a', 'b', 'c', 'd'].map((name) => all.find(({ id }) => id === `${name}-0`)?.at ?? 0);
    const last = (await timesOf(other, 'n')).reduce((left, right) => Math.max(left, right));
    expect(last).toBeLessThan(Math.max(...firsts));
  });

  test('has one task of an organization at a time', async () => {
    const org = await organization();
    await Promise.all([tally(org, { name: 'a', gapMs: 10 }), tally(org, { name: 'b', gapMs: 10 })]);
    const [a, b] = [await timesOf(org, 'a'), await timesOf(org, 'b')];
    const isApart = Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a);
    expect(isApart).toBe(true);
  });

  test('lets a bounded number of tasks wait, and says when to come again', async () => {
    const org = await organization();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => tally(org, { name: `t${n}`, gapMs: 50 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 503, 503]);
    const refused = answers.find(({ status }) => status === 503);
    expect(refused?.body).toMatchObject({ detail: 'The organization has 3 tasks waiting, which is the limit.' });
    expect(refused?.headers.get('retry-after')).toBe('2');
    expect((await written(org)).length).toBe(400);
  });

  test('answers what a task is refused for, and judges rights again', async () => {
    const org = await organization();
    expect(await tally(org, { failure: 'refused' })).toMatchObject({
      status: 422,
      body: { code: 'refused', detail: 'Not today.' },
    });
    const { key } = await org.newKey({ permissions: ['users.read'] });
    expect(await tally(org, {}, { key })).toMatchObject({
      status: 403,
      body: { detail: 'This needs the permission users.update.' },
    });
    expect(await written(org)).toEqual([]);
  });

  test('goes on after a task that failed', async () => {
    const org = await organization();
    expect((await tally(org, { failure: 'bug' })).status).toBe(500);
    expect((await tally(org, {})).status).toBe(200);
  });

  test('is started anew where it ends: its tasks are answered 503, and what they wrote stays', async () => {
    const [org, other] = [await organization(), await organization()];
    const beside = tally(other, { count: 10_000, gapMs: 50 });
    await expect.poll(() => written(other)).not.toEqual([]);
    const died = await tally(org, { failure: 'death' });
    expect(died.status).toBe(503);
    expect(Number(died.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await beside).status).toBe(503);
    expect((await tally(org, { name: 'again' })).status).toBe(200);
    expect((await timesOf(org, 'again')).length).toBe(100);
    const kept = (await written(other)).length;
    expect(kept).toBeGreaterThan(0);
    expect((await written(other)).length).toBe(kept);
    expect((await service.call('GET', '/readyz')).status).toBe(200);
    expect(service.output()).toContain('the thread of tasks has ended');
  });

  const gauge = async (name: string) => {
    const page = String((await service.call('GET', '/metrics')).body);
    return Number(new RegExp(`^relata_tasks_${name} (\\d+)`, 'm').exec(page)?.[1]);
  };

  test('does dry runs of SCIM, which may name all members of a large group: an acceptor answers others', async () => {
    const [org, other] = [await organization(), await organization()];
    const first = tally(org, { until: other.slug });
    await expect.poll(() => gauge('running')).toBe(1);
    let isAnswered = false;
    const tried = org.post('/admin/scim/validate', { method: 'DELETE', path: '/Users/nobody' }).finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => gauge('waiting'), { timeout: 10_000 }).toBe(1);
    expect(isAnswered).toBe(false);
    await tally(other, { name: 'release' });
    expect((await first).status).toBe(200);
    expect(await tried).toMatchObject({ status: 200, body: { data: { status: 403, changes: [] } } });
  });

  test('is measured', async () => {
    const [org, other] = [await organization(), await organization()];
    const first = tally(org, { until: other.slug });
    await expect.poll(() => gauge('running')).toBe(1);
    const second = tally(org, { name: 'm' });
    await expect.poll(() => gauge('waiting')).toBe(1);
    await tally(other, { name: 'release' });
    await Promise.all([first, second]);
    await expect.poll(() => gauge('running')).toBe(0);
  });
});

describe('at the end of the service', () => {
  test('a task that runs is waited for; one that takes too long is ended, and what it has committed stays', async () => {
    let service = await start();
    const { folder } = service;
    try {
      const org = await service.organization('drained');
      const answer = tally(org, { count: 30, gapMs: 50 });
      await expect.poll(() => written(org)).not.toEqual([]);
      expect(await service.stop()).toBe(0);
      expect((await answer).status).toBe(200);
      service = await start({ RELATA_LIMIT_DRAIN_MS: '300' }, folder);
      let again = new Organization(service, org.slug, org.key);
      expect((await written(again)).length).toBe(30);

      const cut = tally(again, { name: 'cut', count: 10_000, gapMs: 50 }).catch(() => undefined);
      await expect.poll(() => timesOf(again, 'cut')).not.toEqual([]);
      expect(await service.stop()).toBe(0);
      await cut;
      service = await start({}, folder);
      again = new Organization(service, org.slug, org.key);
      const kept = (await written(again)).filter(({ id }) => id.startsWith('cut-'));
      const numbers = kept.map(({ id }) => Number(id.slice('cut-'.length)));
      expect(numbers.length).toBeLessThan(10_000);
      const ascending = numbers.toSorted((left, right) => left - right);
      expect(ascending).toEqual(Array.from({ length: numbers.length }, (_, n) => n));
    } finally {
      await service.remove();
    }
  });
});
