import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WalkedRecord, walkRecords } from '../../../engine/index.ts';
import { openTables } from '../../../engine/store/environment.ts';
import { recordKey } from '../../../engine/store/layout.ts';
import { ScratchEngine } from '../scratch-engine.ts';

let scratch: ScratchEngine;

beforeEach(async () => {
  scratch = await ScratchEngine.open();
});
afterEach(() => scratch.close());

async function walked(): Promise<WalkedRecord[]> {
  const found: WalkedRecord[] = [];
  await walkRecords(scratch.path, (record) => void found.push(record));
  return found;
}

it('visits the records of each store that is there, by collection and id, and none of the engine’s own', async () => {
  const { engine } = scratch;
  for (const name of ['s', 'gone']) await engine.createStore(name);
  await engine.store('s').writeModel({ dsl: 'model\n  schema 1.1\ntype user\n' });
  const put = (store: string, collection: string, id: string, document: unknown = { id }) =>
    ({ op: 'put_record', store, record: { collection, id, document, indexes: { '#by': 'x' } } }) as const;
  const changes = [
    put('s', 'b', '1'),
    put('s', 'a', '2'),
    put('s', 'a', '1'),
    put('s', 'c', '1', null),
    put('gone', 'a', '1'),
  ];
  await engine.submit(engine.command(changes));
  await engine.submit(engine.command([{ op: 'delete_store', store: 'gone' }]));
  const all = [
    { store: 's', collection: 'a', id: '1', document: { id: '1' } },
    { store: 's', collection: 'a', id: '2', document: { id: '2' } },
    { store: 's', collection: 'b', id: '1', document: { id: '1' } },
  ];
  expect(await walked()).toEqual(all);

  // what cannot be read is passed over, and the walk goes on
  await engine.close();
  const tables = openTables({ path: scratch.path });
  await tables.records.put(recordKey(1, 'a', '1'), Buffer.from('{no record'));
  await tables.root.close();
  await scratch.reopen();
  expect(await walked()).toEqual(all.slice(1));
});

it('refuses a folder without data', async () => {
  await expect(walkRecords(`${scratch.path}/none`, () => {})).rejects.toMatchObject({ code: 'corrupt' });
});
