import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../../engine/index.ts';
import type { Change, Command } from '../../../../engine/log/command.ts';
import { checkpointKey, headKey, rowKey } from '../../../../engine/store/chain/chain-layout.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { pack, recordKey } from '../../../../engine/store/layout.ts';
import { allocateShared, type OpenedWriter, openWriter } from '../../../../engine/store/open-writer.ts';
import { proveChains } from '../../../../engine/store/verify/prove-chains.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';

const key = Buffer.alloc(32, 7);
const chain = 'journal';
const digest = (document: unknown): Buffer => createHash('sha256').update(JSON.stringify(document)).digest();
const question = { chain, key, digest };

let path: string;
let opened: OpenedWriter;
let count = 0;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'relata-chain-'));
  opened = open();
  apply([{ op: 'create_store', store: 's' }]);
});
afterEach(async () => {
  await opened.close();
  rmSync(path, { recursive: true, force: true });
});

function open(chainKey: Uint8Array | undefined = key): OpenedWriter {
  return openWriter({
    path,
    shared: allocateShared(path, 4096),
    retention: { commitsMax: 100, bytesMax: 1e6 },
    chainKey,
    unsafeNoSync: true,
  });
}

function command(changes: readonly Change[], more: Partial<Command> = {}): Command {
  return { id: `c${++count}`, time: 1, changes, ...more };
}

function apply(...batch: readonly (readonly Change[] | Command)[]) {
  return opened.writer.apply(batch.map((each) => ('changes' in each ? each : command(each))));
}

function entry(id: string, store = 's', document: unknown = { id }): Change[] {
  return [
    { op: 'put_record', store, record: { collection: chain, id, document } },
    { op: 'append_chained', store, chain, entry: id, digest: digest(document) },
  ];
}

async function prove(more = {}) {
  return (await proveChains(path, { ...question, ...more })).find(({ store }) => store === 's');
}

async function damage(task: (tables: Tables) => void): Promise<void> {
  const tables = openTables({ path });
  task(tables);
  await tables.root.close();
}

/** What the specification of a link says, computed by hand. */
function linksOf(store: string, ids: readonly string[]): Buffer[] {
  let link = createHash('sha256').update(`${store}\0${chain}`).digest();
  return ids.map((id, place) => {
    const sequence = Buffer.alloc(8);
    sequence.writeBigUInt64BE(BigInt(place + 1));
    link = createHmac('sha256', key).update(link).update(sequence).update(digest({ id })).digest();
    return link;
  });
}

describe('a chain', () => {
  it('gives each entry the next sequence, and a link over the one before', async () => {
    apply([...entry('a'), ...entry('b')], entry('c'));
    const report = await prove();
    const links = linksOf('s', ['a', 'b', 'c']);
    expect(report).toEqual({ store: 's', entries: 3, from: 0, head: { sequence: 3, link: links[2] } });
    await opened.close();
    const engine = await Engine.open({ path, unsafeNoSync: true });
    const reader = engine.store('s').chain(chain);
    expect(reader.head()).toEqual({ sequence: 3, link: links[2] });
    expect(reader.checkpoint()).toBeUndefined();
    expect(reader.after(1, 10).map(({ sequence, entry, link }) => ({ sequence, entry, link }))).toEqual([
      { sequence: 2, entry: 'b', link: links[1] },
      { sequence: 3, entry: 'c', link: links[2] },
    ]);
    expect(reader.after(0, 1).map(({ entry }) => entry)).toEqual(['a']);
    await engine.close();
    opened = open();
  });

  it.each([
    {
      name: 'that a precondition refuses',
      broken: () =>
        command(entry('x'), { preconditions: [{ require: 'record_absent', store: 's', collection: chain, id: 'a' }] }),
      code: 'precondition_failed',
    },
    {
      name: 'that fails when it is applied, in the middle of its writes',
      broken: () =>
        command([...entry('x'), { op: 'append_chained', store: 's', chain, entry: 'none', digest: digest(1) }]),
      code: 'invalid_argument',
    },
    {
      name: 'of another kind, which runs in a transaction of its own',
      broken: () => command([...entry('x'), { op: 'create_store', store: 's' }]),
      code: 'store_exists',
    },
  ])('chains the others of a batch right around a command $name', async ({ broken, code }) => {
    const outcomes = apply(entry('a'), broken(), entry('b'), broken(), entry('c'));
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code))).toEqual(['ok', code, 'ok', code, 'ok']);
    expect(await prove()).toMatchObject({ entries: 3, head: { link: linksOf('s', ['a', 'b', 'c'])[2] } });
    expect((await prove())?.break).toBeUndefined();
    expect(await verifyStore(path)).toMatchObject({ problems: [] });
  });

  it('is one for each store, and none is like another', async () => {
    apply([{ op: 'create_store', store: 't' }]);
    apply(entry('a'), entry('a', 't'));
    const [s, t] = await proveChains(path, question);
    expect(s?.head.link).not.toEqual(t?.head.link);
    expect(await proveChains(path, question, (store) => store === 't')).toHaveLength(1);
  });

  it('goes on where it was after a restart', async () => {
    apply(entry('a'));
    await opened.close();
    opened = open();
    apply(entry('b'));
    expect((await prove())?.head.link).toEqual(linksOf('s', ['a', 'b'])[1]);
  });

  it.each([
    { name: 'a digest of another size', change: { digest: Buffer.alloc(31) } },
    { name: 'a name that is none', change: { chain: 'a/b' } },
    { name: 'a record that is not there', change: { entry: 'other' } },
  ])('refuses $name', ({ change }) => {
    const [put, append] = entry('a');
    const [outcome] = apply([put as Change, { ...(append as object), ...change } as Change]);
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_argument' });
  });

  it('refuses an entry where the writer has no key, and nothing of the command is written', async () => {
    await opened.close();
    opened = openWriter({ path, shared: allocateShared(path, 4096), retention: { commitsMax: 9, bytesMax: 1e6 } });
    expect(apply(entry('a'))).toMatchObject([{ ok: false, code: 'invalid_argument' }]);
    expect(await verifyStore(path)).toMatchObject({ records: 0, problems: [] });
  });

  it('goes with its store', async () => {
    apply(entry('a'), entry('b'));
    await opened.close();
    const engine = await Engine.open({ path, unsafeNoSync: true, chainKey: key });
    await engine.deleteStore('s');
    while (await engine.sweep(2)) {}
    await engine.close();
    await damage((tables) => expect(tables.chains.getCount()).toBe(0));
    opened = open();
    expect(await verifyStore(path)).toMatchObject({ problems: [] });
  });

  it('goes with a backup', async () => {
    apply(entry('a'), entry('b'));
    const copy = join(path, 'copy');
    await opened.backup(copy);
    const [report] = await proveChains(copy, question);
    expect(report).toMatchObject({ entries: 2, head: { sequence: 2 } });
    expect(report?.break).toBeUndefined();
  });
});

describe('a cut', () => {
  const cut = (through: number): Change => ({ op: 'cut_chain', store: 's', chain, through });

  it('removes the oldest entries with their records, and what is left can be proved', async () => {
    apply(entry('a'), entry('b'), entry('c'));
    apply([cut(2), ...entry('d')]);
    expect(await prove()).toEqual({
      store: 's',
      entries: 2,
      from: 2,
      head: { sequence: 4, link: linksOf('s', ['a', 'b', 'c', 'd'])[3] },
    });
    expect(await verifyStore(path)).toMatchObject({ records: 2, problems: [] });
    expect(apply([cut(1)])).toMatchObject([{ ok: true }]);
    apply([cut(4)], entry('e'));
    expect(await prove()).toMatchObject({ entries: 1, from: 4, head: { sequence: 5 } });
  });

  it('past the end is refused', () => {
    apply(entry('a'));
    expect(apply([cut(2)])).toMatchObject([{ ok: false, code: 'invalid_argument' }]);
  });
});

describe('what somebody changed without the key', () => {
  beforeEach(() => {
    apply(entry('a'), entry('b'), entry('c'), entry('d'));
    apply([{ op: 'cut_chain', store: 's', chain, through: 1 }]);
  });
  const number = 1;
  const row = (sequence: number) => rowKey(number, chain, sequence);
  const put = (tables: Tables, id: string, document: unknown) =>
    tables.records.putSync(recordKey(number, chain, id), pack({ version: 1, document }));
  const read = (tables: Tables, at: Buffer) => Buffer.from(tables.chains.getBinary(at) as Buffer);

  const cases: { name: string; task: (tables: Tables) => void; found: object }[] = [
    {
      name: 'a changed record',
      task: (tables) => put(tables, 'c', { id: 'c', forged: true }),
      found: { sequence: 3, entry: 'c', reason: 'the record of the entry was changed' },
    },
    {
      name: 'a changed record with its digest',
      task: (tables) => {
        put(tables, 'c', { id: 'forged' });
        const bytes = read(tables, row(3));
        digest({ id: 'forged' }).copy(bytes);
        tables.chains.putSync(row(3), bytes);
      },
      found: { sequence: 3, reason: 'the entry does not follow from those before it' },
    },
    {
      name: 'a removed record',
      task: (tables) => tables.records.removeSync(recordKey(number, chain, 'b')),
      found: { sequence: 2, reason: 'the record of the entry was removed' },
    },
    {
      name: 'a removed entry',
      task: (tables) => {
        tables.chains.removeSync(row(3));
        tables.records.removeSync(recordKey(number, chain, 'c'));
      },
      found: { sequence: 3, entry: 'd', reason: 'the entries up to 4 were removed' },
    },
    {
      name: 'the last entry removed',
      task: (tables) => {
        tables.chains.removeSync(row(4));
        tables.records.removeSync(recordKey(number, chain, 'd'));
      },
      found: { sequence: 4, reason: 'the entries up to 4, the head, were removed' },
    },
    {
      name: 'the first entries removed, with a checkpoint set by hand',
      task: (tables) => {
        tables.chains.removeSync(row(2));
        tables.records.removeSync(recordKey(number, chain, 'b'));
        const forged = Buffer.concat([row(2).subarray(-8), linksOf('s', ['a', 'b'])[1] as Buffer, Buffer.alloc(32)]);
        tables.chains.putSync(checkpointKey(number, chain), forged);
      },
      found: { sequence: 2, reason: expect.stringContaining('not cut off by the holder of the key') },
    },
    {
      name: 'two entries in each other’s place',
      task: (tables) => {
        const [second, third] = [read(tables, row(2)), read(tables, row(3))];
        tables.chains.putSync(row(2), third);
        tables.chains.putSync(row(3), second);
      },
      found: { sequence: 2, reason: 'the entry does not follow from those before it' },
    },
    {
      name: 'an inserted record',
      task: (tables) => put(tables, 'bb', { id: 'bb' }),
      found: { entry: 'bb', reason: 'the record was never put on the chain' },
    },
    {
      name: 'an entry put on by somebody with another key',
      task: (tables) => {
        put(tables, 'e', { id: 'e' });
        const forged = Buffer.concat([digest({ id: 'e' }), Buffer.alloc(32, 1), Buffer.from('e')]);
        tables.chains.putSync(row(5), forged);
        tables.chains.putSync(headKey(number, chain), Buffer.concat([row(5).subarray(-8), Buffer.alloc(32, 1)]));
      },
      found: { sequence: 5, entry: 'e', reason: 'the entry does not follow from those before it' },
    },
  ];

  it.each(cases)('is found: $name', async ({ task, found }) => {
    expect((await prove())?.break).toBeUndefined();
    await damage(task);
    expect((await prove())?.break).toEqual(expect.objectContaining(found));
  });

  it('is found by its structure alone where something is missing', async () => {
    await damage((tables) => tables.records.removeSync(recordKey(number, chain, 'c')));
    const { problems } = await verifyStore(path);
    expect(problems).toContain('the chain journal of store 1 has no record for its entry 3');
  });

  it('at the end is found with a noted head alone', async () => {
    const noted = { sequence: 4, link: linksOf('s', ['a', 'b', 'c', 'd'])[3] as Buffer };
    expect((await prove({ noted }))?.break).toBeUndefined();
    await damage((tables) => {
      tables.chains.removeSync(row(4));
      tables.records.removeSync(recordKey(number, chain, 'd'));
      const link = linksOf('s', ['a', 'b', 'c'])[2] as Buffer;
      tables.chains.putSync(headKey(number, chain), Buffer.concat([row(3).subarray(-8), link]));
    });
    expect((await prove())?.break).toBeUndefined();
    expect((await prove({ noted }))?.break).toMatchObject({ sequence: 4 });
    expect((await prove({ noted: { sequence: 2, link: Buffer.alloc(32) } }))?.break).toMatchObject({ sequence: 2 });
  });

  it('is everything, where the key is another one', async () => {
    expect((await prove({ key: Buffer.alloc(32, 8) }))?.break).toMatchObject({ sequence: 1 });
  });
});
