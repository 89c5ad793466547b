import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../engine/index.ts';
import { Vocabularies } from '../../../src/access/ask/vocabulary/vocabularies.ts';
import { groupRecords, permissionRecords, putPermission, roleRecords } from '../../../src/directory/records/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

let scratch: ScratchEngine;
beforeAll(async () => {
  scratch = await ScratchEngine.open();
});
afterAll(() => scratch.close());

const times = { createdAt: 1, updatedAt: 1 };
const permission = (number: number, name: string) => ({
  ...{ number, slug: `thing:do${number}`, name, isSystem: false },
  ...times,
});

async function storeOf(name: string, permissions: number): Promise<Store> {
  const store = await scratch.engine.createStore(name);
  await submit(Array.from({ length: permissions }, (_, at) => putPermission(store, permission(1000 + at, 'Do it'))));
  return store;
}

function submit(changes: Parameters<typeof scratch.engine.command>[0]) {
  return scratch.engine.submit(scratch.engine.command(changes));
}

test('one is kept until a commit touches what it is made of', async () => {
  const store = await storeOf('org:exact', 3);
  const other = await storeOf('org:other', 1);
  const vocabularies = new Vocabularies();
  const current = () => scratch.engine.read(() => vocabularies.of(store));
  let last = current();
  const same = () => {
    const next = current();
    const isSame = next === last;
    last = next;
    return isSame;
  };
  expect(same()).toBe(true);
  await submit([putPermission(other, permission(1001, 'Elsewhere'))]);
  await submit([{ op: 'put_record', store: store.name, record: { collection: 'something', id: 'a', document: {} } }]);
  expect(same()).toBe(true);
  await submit([putPermission(store, permission(1000, 'Renamed'))]);
  expect(same()).toBe(false);
  expect(last.permission('THING:DO1000')?.name).toBe('Renamed');
  await submit([permissionRecords.delete(store, '000000001000')]);
  expect(same()).toBe(false);
  expect(last.permission('thing:do1000')).toBeUndefined();
  const role = { slug: 'boss', name: 'Boss', description: '', isSystem: false, ...times };
  await submit([roleRecords.put(store, 'r', role)]);
  expect(same()).toBe(false);
  await submit([groupRecords.put(store, 'g', { name: 'crew', displayName: 'Crew', description: '', ...times })]);
  expect(same()).toBe(false);
  await store.writeModel({ dsl: 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define owner: [user]\n' });
  expect(same()).toBe(false);
  expect(last.isType('doc')).toBe(true);
  expect(same()).toBe(true);
});

test('those that were not used for longest go first, and one that is too large stays alone', async () => {
  const stores = await Promise.all([1, 2, 3].map((n) => storeOf(`org:kept${n}`, 40)));
  const [first, second, third] = stores as [Store, Store, Store];
  const vocabularies = new Vocabularies(100);
  const of = (store: Store) => scratch.engine.read(() => vocabularies.of(store));
  const kept = of(first);
  of(second);
  expect(of(first)).toBe(kept);
  of(third);
  expect(vocabularies.size).toBe(2);
  expect(of(first)).toBe(kept);
  const large = await storeOf('org:large', 150);
  expect(of(large).size).toBe(150);
  expect(vocabularies.size).toBe(1);
});

test('of very many permissions the rest is not searched', async () => {
  const store = await storeOf('org:huge', 5100);
  const vocabulary = scratch.engine.read(() => new Vocabularies().of(store));
  expect(vocabulary.size).toBe(5000);
});
