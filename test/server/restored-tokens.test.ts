import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { Organization, RunningService } from './running-service.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const WRITES = 200;
const question = { object: 'document:late', relation: 'viewer', subject: 'user:anne' };

const folder = mkdtempSync(join(tmpdir(), 'relata-restored-'));
let service: RunningService;
let org: Organization;
/** From before the restore, of a write that was answered and is lost. */
let lost: string;
/** From before the backup. */
let early: string;
/** Of the events, from before the restore. */
let cursor: string;
/** Of lists, from before the restore. */
const listCursors: string[] = [];
/** Made after the backup. */
let lostKey: string;

const pages: { name: string; ask: (cursor?: string) => ReturnType<Organization['post']> }[] = [
  {
    name: 'objects',
    ask: (from) =>
      org.post('/zanzibar/list-objects', {
        type: 'document',
        relation: 'viewer',
        subject: 'user:anne',
        limit: 1,
        cursor: from,
      }),
  },
  {
    name: 'subjects',
    ask: (from) =>
      org.post('/zanzibar/list-subjects', {
        object: 'document:1',
        relation: 'viewer',
        subjectType: 'user',
        limit: 1,
        cursor: from,
      }),
  },
  {
    name: 'tuples',
    ask: (from) =>
      org.call('GET', `/zanzibar/tuples?object=document:&limit=1${from === undefined ? '' : `&cursor=${from}`}`),
  },
];

async function restart(between: () => Promise<unknown>): Promise<void> {
  await service.stop();
  await between();
  service = await RunningService.start({ RELATA_THREADS: '1' }, folder);
  org = new Organization(service, org.slug, org.key);
}

async function restore(): Promise<void> {
  expect(await runCli(['restore', join(folder, 'copy'), '--data', join(folder, 'data'), '--force'])).toMatchObject({
    code: 0,
  });
}

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1' }, folder);
  org = await service.organization('acme');
  await org.model(
    'type user',
    'type document',
    '  relations',
    '    define viewer: [user]',
    '    define can_read: viewer',
  );
  early = await org.write('document:1#viewer@user:anne');
  await org.write('document:1#viewer@user:beth', 'document:0#viewer@user:anne');
  expect(await runCli(['backup', join(folder, 'copy'), '--data', join(folder, 'data')])).toMatchObject({ code: 0 });
  lost = await org.write('document:late#viewer@user:anne');
  cursor = (await org.call('GET', '/admin/events')).text('data.cursor');
  expect((await org.call('GET', `/admin/events?after=${cursor}`)).status).toBe(200);
  for (const { ask: page } of pages) listCursors.push((await page()).text('cursor'));
  for (const [at, { ask: page }] of pages.entries()) expect((await page(listCursors[at])).status).toBe(200);
  lostKey = (await org.newKey({ permissions: ['tuples.read'] })).key;
  expect((await org.call('GET', '/zanzibar/tuples', { key: lostKey })).status).toBe(200);
  const body = { ...question, consistency: { atLeast: lost } };
  expect((await org.post('/zanzibar/check', body)).body).toMatchObject({ allowed: true });
  await restart(restore);
});
afterAll(() => service.remove());

const consistency = () => ({ consistency: { atLeast: lost } });
const ask: { name: string; given: () => Promise<{ status: number; body: unknown }> }[] = [
  { name: 'a check', given: () => org.post('/zanzibar/check', { ...question, ...consistency() }) },
  { name: 'many', given: () => org.post('/zanzibar/check-bulk', { checks: [question], ...consistency() }) },
  {
    name: 'a permission',
    given: () => org.post('/authz/check', { permission: 'doc:read', subject: 'user:anne', ...consistency() }),
  },
  {
    name: 'permissions',
    given: () =>
      org.post('/authz/check-bulk', { checks: [{ permission: 'doc:read', subject: 'user:anne' }], ...consistency() }),
  },
  {
    name: 'any of them',
    given: () => org.post('/authz/check-any', { permissions: ['doc:read'], subject: 'user:anne', ...consistency() }),
  },
  {
    name: 'all of them',
    given: () => org.post('/authz/check-all', { permissions: ['doc:read'], subject: 'user:anne', ...consistency() }),
  },
  {
    name: 'by attributes',
    given: () => org.post('/abac/check', { permission: 'doc:read', subject: 'user:anne', ...consistency() }),
  },
  {
    name: 'objects',
    given: () =>
      org.post('/zanzibar/list-objects', {
        type: 'document',
        relation: 'viewer',
        subject: 'user:anne',
        ...consistency(),
      }),
  },
  {
    name: 'subjects',
    given: () =>
      org.post('/zanzibar/list-subjects', {
        object: 'document:1',
        relation: 'viewer',
        subjectType: 'user',
        ...consistency(),
      }),
  },
  {
    name: 'an expansion',
    given: () => org.post('/zanzibar/expand', { object: 'document:1', relation: 'viewer', ...consistency() }),
  },
  { name: 'changes', given: () => org.call('GET', `/zanzibar/watch?after=${lost}`) },
  {
    name: 'changes again',
    given: () => org.call('GET', '/zanzibar/watch', { headers: { 'last-event-id': lost } }),
  },
];

describe('after a restore', () => {
  test('a token of a write that is lost is refused with the reason, everywhere, at once and 200 writes later', async () => {
    const answers = async (): Promise<void> => {
      for (const { name, given } of ask) {
        const { status, body } = await given();
        expect({ name, status, body }).toMatchObject({
          status: 410,
          body: { code: 'log_replaced', detail: expect.stringMatching(/backup was restored.*Read the data again/) },
        });
      }
    };
    await answers();
    const tuples = Array.from({ length: WRITES }, (_, n) => `document:new-${n}#viewer@user:beth`);
    await Promise.all(tuples.map((tuple) => org.post('/zanzibar/tuples', { writes: [tuple] })));
    await answers();
  });

  test('so is one from before the backup, and one of today is good', async () => {
    const check = (token: string) =>
      org.post('/zanzibar/check', { ...question, object: 'document:1', consistency: { atLeast: token } });
    expect(await check(early)).toMatchObject({ status: 410 });
    const { status, body } = await check(await org.write('document:2#viewer@user:anne'));
    expect({ status, body }).toMatchObject({ status: 200, body: { allowed: true } });
  });

  test('so is a cursor of events, as a page and as a stream', async () => {
    const gone = { status: 410, body: { code: 'log_replaced', detail: expect.stringMatching(/backup was restored/) } };
    expect(await org.call('GET', `/admin/events?after=${cursor}`)).toMatchObject(gone);
    const headers = { accept: 'text/event-stream', 'last-event-id': cursor };
    expect(await org.call('GET', '/admin/events', { headers })).toMatchObject(gone);
    expect((await org.call('GET', '/admin/events?after=latest')).status).toBe(200);
  });

  test('so is a cursor of each list, and one of today is good', async () => {
    for (const [at, { name, ask: page }] of pages.entries()) {
      const { status, body } = await page(listCursors[at]);
      expect({ name, status, body }).toMatchObject({
        status: 410,
        body: { code: 'log_replaced', detail: expect.stringMatching(/backup was restored.*Begin again/) },
      });
      expect((await page((await page()).text('cursor'))).status).toBe(200);
    }
  });

  test('a key that was made after the backup is none, also where another one has been made since', async () => {
    await org.newKey({ permissions: ['tuples.read'] });
    expect(await org.call('GET', '/zanzibar/tuples', { key: lostKey })).toMatchObject({ status: 401 });
  });

  test('a token is good over a restart, and not over another restore of the same backup', async () => {
    const token = await org.write('document:3#viewer@user:anne');
    const check = () => org.post('/zanzibar/check', { ...question, consistency: { atLeast: token } });
    await restart(async () => {});
    expect(await check()).toMatchObject({ status: 200 });
    await restart(restore);
    expect(await check()).toMatchObject({ status: 410, body: { code: 'log_replaced' } });
    expect(readdirSync(join(folder, 'data')).filter((name) => name.startsWith('store.replaced-'))).toHaveLength(2);
  });
});
