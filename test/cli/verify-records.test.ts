import { beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../engine/index.ts';
import { findMisfits } from '../../src/cli/backup/misfits.ts';
import { enginePath, withEngine } from '../../src/cli/data-folder.ts';
import { roleRecords, userRecords } from '../../src/directory/records/index.ts';
import { storeOf } from '../../src/kernel/organizations/index.ts';
import { modules, recordsOf } from '../../src/server/modules.ts';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();
const acme = { name: storeOf('acme') };
const SECRET = 'nobody-may-see-this';

const role = { slug: 'r', name: 'R', description: '', isSystem: false, createdAt: 1, updatedAt: 1 };

/** A record of this kind, whatever stands in it. */
const plant = (kind: typeof roleRecords | typeof userRecords, id: string, document: unknown): Change => ({
  op: 'put_record',
  store: acme.name,
  record: { collection: kind.collection, id, document },
});
const other = (collection: string, id: string): Change => ({
  op: 'put_record',
  store: acme.name,
  record: { collection, id, document: { text: SECRET } },
});

let data: string;

beforeEach(async () => {
  data = scratch.path('data');
  const tuples = scratch.file('a.ndjson', '{"object":"role:editor","relation":"assignee","subject":"user:anne"}\n');
  const made = await runCli(['import', tuples, '--org', 'acme', '--create', '--data', data]);
  expect(made).toMatchObject({ code: 0 });
});

const write = (changes: readonly Change[]) =>
  withEngine(data, {}, async (engine) => void (await engine.submit(engine.command(changes))));
const verify = () => runCli(['verify', '--data', data]);

describe('relata verify', () => {
  it('finds nothing in records that fit their kinds', async () => {
    await write([roleRecords.put(acme, 'r', role)]);
    const { code, out, err } = await verify();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^2 stores, .*: 0 problems\n$/);
  });

  it('names records that do not fit and the rules that they break, goes on behind them, and shows no value', async () => {
    const { name: _, ...nameless } = role;
    await write([
      plant(roleRecords, 'a', { ...role, name: 7, createdAt: SECRET }),
      plant(roleRecords, 'b', nameless),
      plant(roleRecords, 'c', { ...role, password: SECRET }),
      plant(userRecords, 'd', SECRET),
      roleRecords.put(acme, 'r', role),
    ]);
    const { code, out, err } = await verify();
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const [, ...lines] = out.trimEnd().split('\n');
    expect(lines).toEqual([
      'store org:acme: record roles/a does not fit: name: Invalid input: expected string, received number; createdAt: Invalid input: expected number, received string',
      'store org:acme: record roles/b does not fit: name: Invalid input: expected string, received undefined',
      'store org:acme: record roles/c does not fit: document: Unrecognized key: "password"',
      'store org:acme: record users/d does not fit: document: Invalid input: expected object, received string',
      '4 records that do not match, 0 collections of unknown kind: this is not damage: everything can be read, and backups keep it',
    ]);
    expect(out).toContain(': 0 problems\n');
    expect(out).not.toContain(SECRET);
  });

  it('names a collection of no known kind once', async () => {
    await write([other('aaa', '1'), other('aaa', '2'), other('zzz', '1')]);
    const { code, out } = await verify();
    expect(code).toBe(1);
    expect(out.match(/^.*no kind of record is known.*$/gm)).toEqual([
      'store org:acme: no kind of record is known for the collection aaa',
      'store org:acme: no kind of record is known for the collection zzz',
    ]);
    expect(out).toMatch(/^0 records that do not match, 2 collections of unknown kind: this is not damage/m);
    expect(out).not.toContain(SECRET);
  });

  it('shows the first hundred and counts the rest, and of one record the first rules', async () => {
    await write(Array.from({ length: 120 }, (_, place) => plant(roleRecords, `x${place}`, {})));
    const { shown, ...counts } = await findMisfits(enginePath(data), recordsOf(modules));
    expect(counts).toEqual({ records: 120, collections: 0 });
    expect(shown).toHaveLength(100);
    expect(shown[0]).toMatch(/; 1 more$/);
  });

  it('finds no fault with a backup for them', async () => {
    await write([other('zzz', '1'), plant(roleRecords, 'a', {})]);
    const [copy, restored] = [scratch.path('copy'), scratch.path('restored')];
    expect(await runCli(['backup', copy, '--data', data])).toMatchObject({ code: 0, err: '' });
    expect(await runCli(['restore', copy, '--data', restored])).toMatchObject({ code: 0, err: '' });
  });
});
