import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Change, Store } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

let scratch: ScratchEngine;
let store: Store;
let other: Store;

const dsl = 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define viewer: [user]\n';
const tuple = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('s');
  other = await scratch.engine.createStore('t');
  await store.writeModel({ dsl });
  await other.writeModel({ dsl });
  store.basis();
});
afterAll(() => scratch.close());

const submit = (...changes: readonly Change[]) => scratch.engine.submit(scratch.engine.command(changes));

it('moves with tuples, suspensions and models of the store, and with nothing else', async () => {
  const moves = async (change: () => Promise<unknown>): Promise<[boolean, boolean]> => {
    const before = [store.basis().changedAt, other.basis().changedAt];
    await change();
    const after = [store.basis().changedAt, other.basis().changedAt];
    for (const revision of after) expect(revision).toBeLessThanOrEqual(store.revision());
    return [after[0] !== before[0], after[1] !== before[1]];
  };
  await store.write({ writes: [{ ...tuple, object: 'doc:0' }] }); // from here on both are followed
  expect(await moves(() => store.write({ writes: [tuple] }))).toEqual([true, false]);
  const record = { collection: 'things', id: 'a', document: {} };
  expect(await moves(() => submit({ op: 'put_record', store: 's', record }))).toEqual([false, false]);
  expect(await moves(() => submit({ op: 'suspend_subject', store: 's', subject: 'user:anne' }))).toEqual([true, false]);
  expect(await moves(() => submit({ op: 'restore_subject', store: 's', subject: 'user:anne' }))).toEqual([true, false]);
  expect(await moves(() => store.write({ deletes: [tuple] }))).toEqual([true, false]);
  expect((await moves(() => store.writeModel({ dsl })))[0]).toBe(true);
  expect(await moves(() => other.write({ writes: [tuple] }))).toEqual([false, true]);
});

it('moves when the store is changed many times at once', async () => {
  const before = other.basis().changedAt;
  const writes = Array.from({ length: 200 }, (_, place) =>
    store.write({ writes: [{ ...tuple, object: `doc:${place}` }] }),
  );
  await Promise.all([...writes, other.write({ writes: [{ ...tuple, object: 'doc:9' }] })]);
  expect(other.basis().changedAt).toBeGreaterThan(before);
});

it('is timeless until a tuple expires or has a condition', async () => {
  expect(store.basis().isTimeless).toBe(true);
  await store.write({ writes: [{ ...tuple, expiresAt: Date.now() + 60_000 }] });
  expect(store.basis().isTimeless).toBe(false);
  expect(other.basis().isTimeless).toBe(true);
});
