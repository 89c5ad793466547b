import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpointKey, headKey, rowKey } from '../../../../engine/store/chain/chain-layout.ts';
import type { Tables } from '../../../../engine/store/environment.ts';
import { pack, recordKey } from '../../../../engine/store/layout.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';
import { ChainedStore, chain, digest, entry, linksOf } from './chained-store.ts';

let s: ChainedStore;

beforeEach(() => {
  s = new ChainedStore();
});
afterEach(() => s.remove());

describe('what somebody changed without the key', () => {
  beforeEach(() => {
    s.apply(entry('a'), entry('b'), entry('c'), entry('d'));
    s.apply([{ op: 'cut_chain', store: 's', chain, through: 1 }]);
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
    ...['{"version":1,"document":{"id', '{}', '\x01', ''].map((text) => ({
      name: `a record that is ${JSON.stringify(text)}`,
      task: (tables: Tables) => {
        tables.records.putSync(recordKey(number, chain, 'c'), Buffer.from(text));
      },
      found: { sequence: 3, entry: 'c', reason: 'the record of the entry was changed' },
    })),
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
    expect((await s.prove())?.break).toBeUndefined();
    await s.damage(task);
    expect((await s.prove())?.break).toEqual(expect.objectContaining(found));
  });

  it('is found by its structure alone where something is missing', async () => {
    await s.damage((tables) => tables.records.removeSync(recordKey(number, chain, 'c')));
    const { problems } = await verifyStore(s.path);
    expect(problems).toContain('the chain journal of store 1 has no record for its entry 3');
  });

  it('at the end is found with a noted head alone', async () => {
    const noted = { sequence: 4, link: linksOf('s', ['a', 'b', 'c', 'd'])[3] as Buffer };
    expect((await s.prove({ noted }))?.break).toBeUndefined();
    await s.damage((tables) => {
      tables.chains.removeSync(row(4));
      tables.records.removeSync(recordKey(number, chain, 'd'));
      const link = linksOf('s', ['a', 'b', 'c'])[2] as Buffer;
      tables.chains.putSync(headKey(number, chain), Buffer.concat([row(3).subarray(-8), link]));
    });
    expect((await s.prove())?.break).toBeUndefined();
    expect((await s.prove({ noted }))?.break).toMatchObject({ sequence: 4 });
    expect((await s.prove({ noted: { sequence: 2, link: Buffer.alloc(32) } }))?.break).toMatchObject({ sequence: 2 });
  });

  it('is everything, where the key is another one', async () => {
    expect((await s.prove({ key: Buffer.alloc(32, 8) }))?.break).toMatchObject({ sequence: 1 });
  });
});
