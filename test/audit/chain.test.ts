import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTables, type Tables } from '../../engine/store/environment.ts';
import { recordKey, unpack } from '../../engine/store/layout.ts';
import { keysText, recordBytes, recordOf } from '../../engine/store/records/stored-record.ts';
import { verifyStore } from '../../engine/store/verify/verify.ts';
import { runCli } from '../cli/run-cli.ts';
import { platformKey, RunningService } from '../server/running-service.ts';
import { AuditedOrg, auditScene } from './scene.ts';

const here = auditScene();
const data = (service = here.service) => join(service.folder, 'data');

/** `relata audit verify` over a service that may be at work. */
async function verify(slug: string, ...more: readonly string[]) {
  return runCli(['audit', 'verify', '--data', data(), '--org', slug, ...more]);
}

async function headOf(slug: string): Promise<string> {
  return /head (\S+)/.exec((await verify(slug)).out)?.[1] ?? '';
}

describe('relata audit verify', () => {
  test('proves a log while the service writes, and prints its head', async () => {
    const { org } = here;
    await org.writeRoles('editor', 0, 3);
    const count = Number((await org.logs('?limit=1')).at('meta.total'));
    expect(await verify(org.slug)).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(new RegExp(`^${org.slug}: ${count} entries are whole, head ${count}:[\\w-]{43}\n$`)),
    });
    const head = await headOf(org.slug);
    await org.org.newKey({});
    expect((await verify(org.slug, '--head', head)).code).toBe(0);
    const json = await verify(org.slug, '--json');
    const link = (await headOf(org.slug)).split(':')[1];
    expect(JSON.parse(json.out)).toEqual([
      { organization: org.slug, entries: count + 1, from: 0, head: { sequence: count + 1, link } },
    ]);
    expect((await runCli(['audit', 'verify', '--data', data()])).out).toContain(
      `${org.slug}: ${count + 1} entries are whole`,
    );
  });

  test('proves what several threads wrote at once', async () => {
    const service = await RunningService.start({ RELATA_THREADS: '2' });
    try {
      const org = await service.organization('many');
      await org.directory('role:editor');
      const before = Number((await org.call('GET', '/admin/audit-logs?limit=1')).at('meta.total'));
      const names = Array.from({ length: 20 }, (_, place) => place);
      await Promise.all([
        ...names.map((name) => org.post('/zanzibar/tuples', { writes: [`role:editor#assignee@agent:u${name}`] })),
        // some of a batch are refused, and stand between the others
        ...names.map((name) =>
          org.post('/zanzibar/tuples', {
            writes: [`role:editor#assignee@agent:x${name}`],
            preconditions: [{ require: 'tuple_exists', tuple: 'role:editor#assignee@agent:none' }],
          }),
        ),
        ...names.map(() => service.call('GET', '/t/many/api/v1/admin/api-keys', { key: platformKey })),
      ]);
      const folder = join(service.folder, 'data');
      const proved = await runCli(['audit', 'verify', '--data', folder]);
      expect(proved).toMatchObject({ code: 0, out: expect.stringContaining(`many: ${before + 40} entries are whole`) });
      expect(await verifyStore(join(folder, 'store'))).toMatchObject({ problems: [] });
    } finally {
      await service.remove();
    }
  }, 90_000);

  test.each([
    [['--head', 'x'], 'head'],
    [['--org', 'nobody'], 'there is no organization nobody'],
  ])('cannot work with %j', async (argv, message) => {
    const { code, err } = await runCli(['audit', 'verify', '--data', data(), ...argv]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('needs the master key, and says where a log seems broken because it is another one', async () => {
    const { org, service } = here;
    await org.writeRoles('editor', 0, 1);
    const path = join(data(service), 'store');
    const without = await runCli(['audit', 'verify', path, '--data', service.folder]);
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining('RELATA_MASTER_KEY') });
    const environment = { RELATA_MASTER_KEY: 'another key of at least thirty-two characters' };
    const wrong = await runCli(['audit', 'verify', path, '--org', org.slug], { environment });
    expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining('or the key is another one') });
  });
});

describe('an entry that somebody changed in the store by hand', () => {
  interface Place {
    readonly tables: Tables;
    /** Of the record with this place in the log, from 0. */
    readonly keys: readonly Buffer[];
  }

  let service: RunningService;
  let head: string;
  let copy: string;
  const argv = () => ['audit', 'verify', '--data', copy, '--org', 'acme'];

  // another process must not write into the folder of a service that runs
  beforeAll(async () => {
    service = await RunningService.start({ RELATA_THREADS: '1' });
    const org = new AuditedOrg(service, await service.organization('acme'));
    await org.prepare();
    await org.writeRoles('editor', 0, 4);
    await service.stop();
  });
  beforeEach(async () => {
    copy = mkdtempSync(join(tmpdir(), 'relata-tampered-'));
    cpSync(join(service.folder, 'data'), copy, { recursive: true });
    const whole = await runCli(argv());
    expect(whole.code).toBe(0);
    head = /head (\S+)/.exec(whole.out)?.[1] ?? '';
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));
  afterAll(() => service.remove());

  async function tamper(task: (place: Place) => void): Promise<void> {
    const tables = openTables({ path: join(copy, 'store') });
    const prefix = recordKey(storeNumber(tables, 'org:acme'), 'audit_entries', '');
    const keys = [...tables.records.getKeys({ start: prefix })]
      .filter((key) => key.subarray(0, prefix.length).equals(prefix))
      .map((key) => Buffer.from(key));
    expect(keys.length).toBeGreaterThan(4);
    task({ tables, keys });
    await tables.root.close();
  }

  function storeNumber(tables: Tables, name: string): number {
    for (const { value } of tables.stores.getRange({})) {
      const head = unpack<{ name: string; number: number }>(value);
      if (head.name === name) return head.number;
    }
    throw new Error(`there is no store ${name}`);
  }

  function change({ tables, keys }: Place, place: number, fields: object): void {
    const key = keys[place] as Buffer;
    const record = recordOf(tables.records.getBinary(key) as Buffer, key);
    const document = { ...(record.document as object), ...fields };
    tables.records.putSync(key, recordBytes(record.version, JSON.stringify(document), keysText(record)));
  }

  test.each<[string, (place: Place) => void, number | undefined, string]>([
    ['its actor', (place) => change(place, 1, { actorId: 'somebody' }), 2, 'changed'],
    ['its time', (place) => change(place, 2, { createdAt: '2020-01-01T00:00:00.000Z' }), 3, 'changed'],
    ['its metadata', (place) => change(place, 0, { metadata: {} }), 1, 'changed'],
    [
      'its address, which can be erased and not replaced',
      (place) => change(place, 3, { personal: { ipAddress: { value: '10.0.0.9', salt: 'AAAAAAAAAAAAAAAAAAAAAA' } } }),
      4,
      'changed',
    ],
    ['all of it', ({ tables, keys }) => tables.records.removeSync(keys[1] as Buffer), 2, 'removed'],
    [
      'what stands in its place',
      ({ tables, keys }) => {
        const [first, second] = [keys[0] as Buffer, keys[1] as Buffer];
        const [one, other] = [tables.records.getBinary(first), tables.records.getBinary(second)].map((bytes) =>
          Buffer.from(bytes as Buffer),
        ) as [Buffer, Buffer];
        tables.records.putSync(first, other);
        tables.records.putSync(second, one);
      },
      1,
      'changed',
    ],
    [
      'what was never written',
      ({ tables, keys }) => {
        const copy = Buffer.from(keys[0] as Buffer);
        copy.write('ffffffff', copy.length - 36);
        tables.records.putSync(copy, Buffer.from(tables.records.getBinary(keys[0] as Buffer) as Buffer));
      },
      undefined,
      'never put on the chain',
    ],
  ])('is found: %s', async (_name, task, sequence, reason) => {
    await tamper(task);
    const { code, out } = await runCli(argv());
    expect(out).toMatch(new RegExp(`^acme: broken at ${sequence ?? '\\d+'} .*${reason}`));
    expect(code).toBe(1);
  });

  test('is found at the end with a head that was noted', async () => {
    await tamper(({ tables, keys }) => {
      // everything of the log, as if nothing had ever been written
      for (const key of keys) tables.records.removeSync(key);
      for (const key of [...tables.chains.getKeys({})]) tables.chains.removeSync(key);
    });
    expect((await runCli(argv())).code).toBe(0);
    const { code, out } = await runCli([...argv(), '--head', head]);
    expect(out).toContain('the noted head, were removed');
    expect(code).toBe(1);
  });
});

describe('erasing a person', () => {
  test('takes the personal fields away and leaves the log whole', async () => {
    const { org, service } = here;
    const agent = { headers: { authorization: `Bearer ${org.org.key}`, 'user-agent': 'Browser of Anne' } };
    await service.call('POST', `/t/${org.slug}/api/v1/zanzibar/tuples`, {
      body: { writes: ['role:editor#assignee@agent:anne'] },
      ...agent,
    });
    const head = await headOf(org.slug);
    const [before] = await org.entries('&action=tuple.write');
    expect(before).toMatchObject({ userAgent: 'Browser of Anne', ipAddress: '127.0.0.1' });
    const erasure = (body: unknown, family = 't') =>
      service.call('POST', `/${family}/${org.slug}/api/v1/admin/audit-logs/erasure`, { key: org.org.key, body });
    expect((await erasure({ type: 'user', id: before?.actorId })).body).toEqual({ data: { erasedEntries: 0 } });
    const erased = await erasure({ type: 'admin', id: before?.actorId }, 'orgs');
    // also what the preparation left, and the entries of both erasures
    expect(Number(erased.at('data.data.erasedEntries'))).toBeGreaterThan(2);
    const [after] = await org.entries('&action=tuple.write');
    const { userAgent, ipAddress, ...rest } = before ?? {};
    expect(after).toEqual({ ...rest, userAgent: null, ipAddress: null });
    expect(await org.entries('&ipAddress=127.0.0.1')).toEqual([]);
    expect(await org.entries('&search=browser')).toEqual([]);
    expect((await verify(org.slug, '--head', head)).code).toBe(0);
    expect((await erasure({ type: 'thing', id: 'anne' })).status).toBe(400);
  });
});
