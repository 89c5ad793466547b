import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Change, Precondition } from '../../../engine/index.ts';
import { defineRecord, type Keys } from '../../../src/kernel/records/index.ts';
import { timeKey } from '../../../src/platform/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const tickets = defineRecord({
  collection: 'tickets',
  holds: 'a record of a test',
  schema: z.strictObject({ code: z.string(), holder: z.string(), goodUntil: z.number() }),
  unique: ({ code }): Keys => (code === '' ? {} : { code: code.toLowerCase() }),
  indexes: ({ holder }) => ({ holder }),
  expires: { index: 'until', at: ({ goodUntil }) => goodUntil },
  userKey: { index: 'holder' },
});
const secrets = defineRecord({
  collection: 'secrets',
  holds: 'a record of a test',
  schema: z.strictObject({}),
  userKey: 'id',
});
const plain = defineRecord({
  collection: 'plain',
  holds: 'a record of a test',
  schema: z.strictObject({ text: z.string() }),
});

let scratch: ScratchEngine;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.submit(scratch.engine.command([{ op: 'create_store', store: 's' }]));
});
afterAll(() => scratch.close());

const store = () => scratch.engine.store('s');
const read = <T>(task: () => T): T => scratch.engine.read(task);
const submit = (changes: readonly Change[], preconditions: readonly Precondition[] = []) =>
  scratch.engine.submit(scratch.engine.command(changes, { preconditions }));

test('a record is written with all its keys, and with none where there are none', () => {
  const document = { code: 'Ab', holder: 'u', goodUntil: 5 };
  expect(tickets.write('1', document)).toEqual({
    collection: 'tickets',
    id: '1',
    document,
    unique: { code: 'ab' },
    indexes: { holder: 'u', until: timeKey(5) },
  });
  expect(tickets.write('1', { ...document, code: '' })).not.toHaveProperty('unique');
  expect(plain.write('1', { text: '' })).toEqual({ collection: 'plain', id: '1', document: { text: '' } });
});

test('a record is found by its id, its unique keys and its indexes, until it is deleted', async () => {
  await submit([tickets.put(store(), 'a', { code: 'One', holder: 'u1', goodUntil: 10 })]);
  const entry = read(() => tickets.get(store(), 'a'));
  expect(entry).toMatchObject({ id: 'a', version: 1, document: { code: 'One' } });
  expect(read(() => tickets.byUnique(store(), 'code', 'one'))).toEqual(entry);
  expect(read(() => tickets.index(store()).ids('holder', 'u1', { limit: 5 }))).toEqual(['a']);
  await submit([tickets.delete(store(), 'a')]);
  expect(read(() => tickets.get(store(), 'a'))).toBeUndefined();
});

test('a command fails where a record is not as it was read', async () => {
  const failure = { code: 'precondition_failed' };
  const put = (text: string): Change => plain.put(store(), 'p', { text });
  await submit([put('1')], [plain.absent(store(), 'p')]);
  const entry = read(() => plain.get(store(), 'p'));
  await expect(submit([put('2')], [plain.asRead(store(), 'p', undefined)])).rejects.toMatchObject(failure);
  await submit([put('2')], [plain.asRead(store(), 'p', entry)]);
  await expect(submit([put('3')], [plain.same(store(), entry ?? { id: 'p', version: 0 })])).rejects.toMatchObject(
    failure,
  );
});

test('records that are over are found by their time, and no others', async () => {
  const until = (goodUntil: number) => ({ code: `c${goodUntil}`, holder: 'u', goodUntil });
  await submit([1, 2, 3].map((time) => tickets.put(store(), `t${time}`, until(time))));
  expect(read(() => tickets.expired(store(), 3, 10))).toEqual(['t1', 't2']);
  expect(read(() => tickets.expired(store(), 3, 1))).toEqual(['t1']);
  expect(read(() => plain.expired(store(), 3, 10))).toEqual([]);
});

test('what is about a user is forgotten with that user, and nothing else', async () => {
  const of = (holder: string, code: string) => ({ code, holder, goodUntil: 9 });
  await submit([
    tickets.put(store(), 'f1', of('anne', 'f1')),
    tickets.put(store(), 'f2', of('bert', 'f2')),
    tickets.put(store(), 'f3', of('anne', 'f3')),
  ]);
  expect(read(() => tickets.forget(store(), 'anne'))).toEqual(['f1', 'f3'].map((id) => tickets.delete(store(), id)));
  expect(read(() => tickets.forget(store(), 'ann'))).toEqual([]);
  expect(read(() => secrets.forget(store(), 'anne'))).toEqual([secrets.delete(store(), 'anne')]);
  expect(read(() => plain.forget(store(), 'anne'))).toEqual([]);
});

test('all records are read, however many pages they take', async () => {
  const ids = Array.from({ length: 1500 }, (_, place) => `r${String(place).padStart(4, '0')}`);
  await submit([plain.delete(store(), 'p'), ...ids.map((id) => plain.put(store(), id, { text: id }))]);
  expect(read(() => [...plain.all(store())].map(({ id }) => id))).toEqual(ids);
});
