import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../engine/engine.ts';
import { openTables, type Tables } from '../../../engine/store/environment.ts';
import { pack, recordKey, unpack } from '../../../engine/store/layout.ts';

const FORMAT = Buffer.from('format');
const STORE = 1;

let path: string;

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'relata-format-'));
  const engine = await Engine.open({ path });
  await engine.createStore('s');
  await engine.close();
});

afterEach(() => rmSync(path, { recursive: true, force: true }));

async function raw<T>(task: (tables: Tables) => T): Promise<T> {
  const tables = openTables({ path });
  const result = task(tables);
  await tables.root.close();
  return result;
}

describe('the format of the data', () => {
  it('is that of this version where the folder is new', async () => {
    expect(await raw(({ meta }) => unpack(meta.getBinary(FORMAT) as Buffer))).toBe(5);
  });

  it('of an earlier version is read, and written anew record by record', async () => {
    const record = { version: 3, document: { name: 'Zoë' }, indexes: { by: 'z' }, unique: { name: 'zoë' } };
    await raw(({ meta, records, indexes, uniques }) => {
      meta.putSync(FORMAT, pack(1));
      records.putSync(recordKey(STORE, 'notes', 'n'), pack(record));
      indexes.putSync(recordKey(STORE, 'notes', 'by', 'z', 'n'), Buffer.alloc(0));
      uniques.putSync(recordKey(STORE, 'notes', 'name', 'zoë'), Buffer.from('n'));
    });
    const engine = await Engine.open({ path });
    const { records } = engine.store('s');
    const found = { id: 'n', version: 3, document: { name: 'Zoë' } };
    expect(records.get('notes', 'n')).toEqual(found);
    expect(records.byUnique('notes', 'name', 'zoë')).toEqual(found);
    const write = { collection: 'notes', id: 'n', document: { name: 'Zoe' }, indexes: { by: 'e' } };
    await engine.submit(engine.command([{ op: 'put_record', store: 's', record: write }]));
    expect(records.get('notes', 'n')).toEqual({ id: 'n', version: 4, document: { name: 'Zoe' } });
    expect(records.byUnique('notes', 'name', 'zoë')).toBeUndefined();
    expect(records.byIndex('notes', 'by', undefined).entries.length).toBe(1);
    await engine.close();
    expect(await raw(({ meta }) => unpack(meta.getBinary(FORMAT) as Buffer))).toBe(5);
  });

  it.each([0, 6])('%i is refused', async (format) => {
    await raw(({ meta }) => meta.putSync(FORMAT, pack(format)));
    expect(() => Engine.open({ path })).toThrow(`the data has format ${format}, but this version reads 1 to 5`);
    expect(await raw(({ meta }) => unpack(meta.getBinary(FORMAT) as Buffer))).toBe(format);
  });
});
