import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blocksOfStore } from '../../../../engine/store/counting/counting-keys.ts';
import {
  type CountingDefinition,
  defineCountings,
  readCountings,
} from '../../../../engine/store/counting/countings.ts';
import { ScratchStore } from '../scratch-store.ts';

const definition: CountingDefinition = { collection: 'notes', indexes: ['', 'kind'], blockSize: 16 };
const COUNT = 600;
const STORE = 1;

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
  await define(definition);
  putNotes('n', COUNT);
});

afterEach(() => scratch.close());

async function define(...definitions: CountingDefinition[]): Promise<void> {
  defineCountings(scratch.writer.tables, definitions);
  scratch = await scratch.reopen();
}

function putNotes(name: string, count: number): void {
  const ids = Array.from({ length: count }, (_, number) => `${name}${String(number).padStart(4, '0')}`);
  scratch.apply(
    ids.map((id) => ({
      op: 'put_record',
      store: 's',
      record: { collection: 'notes', id, document: {}, indexes: { kind: 'a' } },
    })),
  );
}

function blocks(number = readCountings(scratch.writer.tables)[0]?.number ?? 0): Buffer[] {
  return Array.from(scratch.writer.tables.listings.getKeys(blocksOfStore(number, STORE)), Buffer.from);
}

describe('counts of ids', () => {
  it('that are wrong are found', async () => {
    const key = blocks()[1] as Buffer;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(1_000);
    scratch.writer.tables.listings.putSync(key, bytes);
    const [problem] = (await scratch.verify()).problems;
    expect(problem).toMatch(/^counts of notes in store 1, ids in a block: 1000 stored, \d+ counted$/);
  });

  it('that are missing are found', async () => {
    scratch.writer.tables.listings.removeSync(blocks()[1] as Buffer);
    const [problem] = (await scratch.verify()).problems;
    expect(problem).toMatch(/^counts of notes in store 1, blocks: \d+ stored, \d+ counted$/);
  });

  it('go with a command that is refused', async () => {
    const record = { collection: 'notes', id: 'm', document: {}, indexes: { kind: 'a' } };
    const [outcome] = scratch.batch([
      { op: 'put_record', store: 's', record },
      { op: 'write_tuples', store: 's', tuples: [{ object: 'doc:a', relation: 'nobody', subject: 'user:a' }] },
    ]);
    expect(outcome?.ok).toBe(false);
    expect(scratch.engine.store('s').recordIndex('notes').count('kind', 'a')).toBe(COUNT);
    expect((await scratch.verify()).problems).toEqual([]);
  });

  it('are those of what stands in the table, where ids and keys are no well-formed text or are long', async () => {
    const put = (id: string, kind: string) => ({ collection: 'notes', id, document: {}, indexes: { kind } });
    for (let number = 0; number < 300; number++) {
      const name = String(number);
      scratch.apply([
        { op: 'put_record', store: 's', record: put(`${name}\ud800`, number % 2 === 0 ? '\ud800' : '\ud801') },
        { op: 'put_record', store: 's', record: put(`${'l'.repeat(600)}${name}`, `${'k'.repeat(600)}${number % 2}`) },
      ]);
    }
    expect((await scratch.verify()).problems).toEqual([]);
    const index = scratch.engine.store('s').recordIndex('notes');
    expect([index.count('kind', '\ud800'), index.count('kind', `${'k'.repeat(600)}0`)]).toEqual([300, 150]);
  });

  it('are not those of an index without a name', async () => {
    const record = (id: string) => ({ collection: 'notes', id, document: {}, indexes: { '': 'k' } });
    for (let number = 0; number < 300; number++)
      scratch.apply([{ op: 'put_record', store: 's', record: record(`m${number}`) }]);
    const index = scratch.engine.store('s').recordIndex('notes');
    expect([index.count('', 'k'), index.count(undefined, '')]).toEqual([300, COUNT + 300]);
    expect((await scratch.verify()).problems).toEqual([]);
  });

  it('that damage has made too small do not stop writes', async () => {
    for (const key of blocks()) scratch.writer.tables.listings.putSync(key, Buffer.alloc(4));
    scratch = await scratch.reopen();
    for (let number = 0; number < COUNT; number++) {
      const id = `n${String(number).padStart(4, '0')}`;
      scratch.apply([{ op: 'delete_record', store: 's', collection: 'notes', id }]);
    }
    expect(scratch.engine.store('s').recordIndex('notes').count(undefined, '')).toBe(0);
  });

  it('are made in bounded steps over stores that have none', async () => {
    for (let store = 0; store < 120; store++) scratch.apply([{ op: 'create_store', store: `empty${store}` }]);
    await define({ ...definition, blockSize: 8 });
    const built: (number | undefined)[] = [];
    for (let step = 0; step < 3; step++) {
      scratch.run([scratch.command([])]);
      built.push(readCountings(scratch.writer.tables)[0]?.built?.store);
    }
    expect(built).toEqual([1, 51, 101]);
    scratch.run([scratch.command([])]);
    expect(scratch.engine.listingProgress()).toBeUndefined();
    expect((await scratch.verify()).problems).toEqual([]);
  });

  it('are gone where no id begins a block any more', async () => {
    for (let number = 0; number < COUNT; number++) {
      const id = `n${String(number).padStart(4, '0')}`;
      scratch.apply([{ op: 'delete_record', store: 's', collection: 'notes', id }]);
    }
    expect(blocks()).toEqual([]);
    expect((await scratch.verify()).problems).toEqual([]);
  });

  it('are made anew where other indexes are counted, and nothing is left of the first ones', async () => {
    const [first] = readCountings(scratch.writer.tables);
    const before = blocks(first?.number);
    expect(before.length).toBeGreaterThan(10);
    await define({ ...definition, indexes: ['kind'] });
    expect(blocks(first?.number)).toEqual([]);
    const [second] = readCountings(scratch.writer.tables);
    expect(second).toMatchObject({ toBuild: COUNT, builtCount: 0, built: { store: 0, tail: '' } });
    expect(scratch.engine.listingProgress()).toEqual({
      collection: 'notes',
      listed: 0,
      records: COUNT,
      work: 'counts',
    });
    expect(await scratch.engine.buildListings(50)).toBe(false);
    expect(blocks(second?.number).length).toBeGreaterThan(5);
    expect((await scratch.verify()).problems).toEqual([]);
  });

  it('of stores that were made later need no building', async () => {
    scratch.apply([{ op: 'create_store', store: 't' }]);
    expect(scratch.engine.listingProgress()).toBeUndefined();
    await define({ ...definition, blockSize: 8 });
    scratch.apply([{ op: 'create_store', store: 'u' }]);
    const put = (id: string) =>
      scratch.apply([{ op: 'put_record', store: 'u', record: { collection: 'notes', id, document: {} } }]);
    for (let number = 0; number < 400; number++) put(`n${number}`);
    expect(scratch.engine.store('u').recordIndex('notes').ids(undefined, '', { skip: 399, limit: 2 })).toEqual(['n99']);
    expect((await scratch.verify()).problems).toEqual([]);
  });
});
