import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '#engine';
import { type NewKey, type Organization, platformKey, RunningService } from '../server/running-service.ts';
import { documents } from './organizations.ts';

let service: RunningService;
let org: Organization;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '2', RELATA_LOG_LEVEL: 'debug', RELATA_ACCESS_LOG: 'all' });
  org = await service.organization('never');
  await org.model(...documents);
});
afterAll(() => service.remove());

const check = (key: string) =>
  service.call('POST', '/t/never/api/v1/zanzibar/check', {
    key,
    body: { object: 'doc:1', relation: 'viewer', subject: 'user:a' },
  });

describe('An old right', () => {
  test('a revoked key fails on the very next request, on every thread, while commits go on', async () => {
    const writing = keepWriting();
    for (let round = 0; round < 10; round++) {
      const key = await org.newKey({ permissions: ['authz:check'] });
      // connections of their own, so that every thread has seen the key
      const before = await Promise.all(Array.from({ length: 16 }, () => check(key.key)));
      expect(before.map(({ status }) => status)).toEqual(Array(16).fill(200));
      expect((await org.call('DELETE', `/admin/api-keys/${key.id}`)).status).toBe(204);
      const after = await Promise.all(Array.from({ length: 16 }, () => check(key.key)));
      expect(after.map(({ status }) => status)).toEqual(Array(16).fill(401));
    }
    await writing.stop();
  });

  test('a rotated key fails at once, and the new one is the same caller', async () => {
    const key = await org.newKey({ permissions: ['authz:check'] });
    await check(key.key);
    const rotated = await org.post(`/admin/api-keys/${key.id}/rotate`, {});
    const answers = await Promise.all(Array.from({ length: 8 }, () => check(key.key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(401));
    const fresh = rotated.at('data') as NewKey;
    expect(fresh.subject).toBe(key.subject);
    expect((await check(fresh.key)).status).toBe(200);
  });

  // by the thread of the request, which keeps what it has found for a revision, and by the pool, which keeps nothing
  test.each([
    ['users.read', '/admin/users'],
    ['models.read', '/zanzibar/models'],
    ['tuples.read', '/zanzibar/tuples'],
  ])('a right that was taken away is gone on the very next request: %s', async (permission, path) => {
    const key = await org.newKey({ permissions: [permission] });
    const ask = () => service.call('GET', `/t/never/api/v1${path}`, { key: key.key });
    const statuses = async () => (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    for (let round = 0; round < 10; round++) {
      await org.write(`permission:${permission}#granted@${key.subject}`);
      expect(await statuses()).toEqual([200, 200, 200]);
      await org.post('/zanzibar/tuples', { deletes: [`permission:${permission}#granted@${key.subject}`] });
      expect(await statuses()).toEqual([403, 403, 403]);
    }
  });

  test('a write is seen by every read that begins after its answer', async () => {
    for (let i = 0; i < 30; i++) {
      await org.write(`doc:fresh${i}#viewer@user:anne`);
      const body = { object: `doc:fresh${i}`, relation: 'viewer', subject: 'user:anne' };
      const answers = await Promise.all(Array.from({ length: 4 }, () => org.post('/zanzibar/check', body)));
      expect(answers.map((answer) => answer.at('allowed'))).toEqual([true, true, true, true]);
    }
  });

  function keepWriting(): { stop(): Promise<void> } {
    let isStopped = false;
    const done = (async () => {
      for (let i = 0; !isStopped; i++) await org.write(`doc:busy${i % 50}#viewer@user:u${i}`);
    })();
    return {
      stop() {
        isStopped = true;
        return done;
      },
    };
  }
});

describe('Half a command', () => {
  test.each([
    {
      name: 'a tuple that does not fit',
      given: { writes: ['doc:half#viewer@user:a', 'doc:half#nope@user:a'] },
      status: 400,
    },
    {
      name: 'a precondition that does not hold',
      given: {
        writes: ['doc:half#viewer@user:a'],
        preconditions: [{ require: 'tuple_exists', tuple: 'doc:half#viewer@user:nobody' }],
      },
      status: 409,
    },
    {
      name: 'a right that the caller cannot give',
      given: { writes: ['doc:half#viewer@user:a', 'policy:x#applies@user:*'] },
      status: 422,
    },
  ])('$name: nothing of it is done', async ({ given, status }) => {
    expect((await org.post('/zanzibar/tuples', given)).status).toBe(status);
    expect((await org.call('GET', '/zanzibar/tuples?object=doc:half')).list('tuples')).toEqual([]);
  });

  test('a precondition that holds lets it pass', async () => {
    await org.write('doc:whole#viewer@user:a');
    const answer = await org.post('/zanzibar/tuples', {
      writes: ['doc:whole#viewer@user:b'],
      deletes: ['doc:whole#viewer@user:a'],
      preconditions: [
        { require: 'tuple_exists', tuple: 'doc:whole#viewer@user:a' },
        { require: 'tuple_absent', tuple: 'doc:whole#viewer@user:b' },
      ],
    });
    expect(answer.status).toBe(200);
    const tuples = (await org.call('GET', '/zanzibar/tuples?object=doc:whole')).list('tuples');
    expect(tuples).toEqual([{ object: 'doc:whole', relation: 'viewer', subject: 'user:b' }]);
  });
});

describe('Slow by input', () => {
  test('a text that would keep the parser of models busy is refused quickly', async () => {
    const nested = `${'('.repeat(800)}[user]${')'.repeat(800)}`;
    const startedAt = Date.now();
    const dsl = `model\n  schema 1.1\ntype doc\n  relations\n    define viewer: ${nested}\n`;
    expect(await org.post('/zanzibar/models', { dsl })).toMatchObject({ status: 400, body: { code: 'invalid_model' } });
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  test('a regular expression in a condition runs in linear time', async () => {
    const slow = await service.organization('slow');
    await slow.model(
      'type doc',
      '  relations',
      '    define viewer: [user with named]',
      'condition named(name: string) {',
      '  name.matches("^(a+)+$")',
      '}',
    );
    await slow.write({ object: 'doc:1', relation: 'viewer', subject: 'user:a', condition: { name: 'named' } });
    const startedAt = Date.now();
    const answer = await slow.post('/zanzibar/check', {
      object: 'doc:1',
      relation: 'viewer',
      subject: 'user:a',
      context: { name: `${'a'.repeat(5000)}!` },
    });
    expect(answer.body).toMatchObject({ allowed: false });
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });
});

/** The last of the file: it ends the service and looks at what it left. */
describe('What is left on disk and in the log', () => {
  test('no key is stored or logged, only its digest; changes of rights and super accesses are on record', async () => {
    const key = await org.newKey({ permissions: ['authz:check'] });
    await check(key.key);
    await service.call('GET', '/t/never/api/v1/admin/api-keys?search=%0aforged', { key: platformKey });
    await service.call('GET', `/t/never/api/v1/zanzibar/tuples?cursor=${key.key}`, {
      headers: { 'x-api-key': key.key },
    });
    await org.write('role:editor#assignee@user:anne');
    expect(await service.stop()).toBe(0);
    const path = join(service.folder, 'data', 'store');
    const stored = readFileSync(join(path, 'data.mdb'), 'latin1');
    for (const secret of [key.key, org.key, platformKey]) {
      expect(stored).not.toContain(secret);
      expect(service.output()).not.toContain(secret);
    }
    for (const line of service.output().trim().split('\n')) {
      if (line.startsWith('{')) expect(() => JSON.parse(line)).not.toThrow();
    }
    const engine = await Engine.open({ path });
    const entries = engine.store('org:never').records.list<{ eventType: string; action: string }>('audit_entries');
    const seen = entries.map(({ document }) => `${document.eventType} ${document.action}`);
    expect(seen).toContain('super_admin.access GET /t/{tenant}/api/v1/admin/api-keys');
    expect(seen).toContain('role.assigned role.assign');
    expect(seen).toContain('admin.action api_key.create');
    expect(seen).toContain('admin.action model.write');
    await engine.close();
  });
});
