import { afterEach, beforeEach, expect, it } from 'vitest';
import { ScratchEngine } from '../../scratch-engine.ts';

const NAMES = ['one', 'other', 'third'];
/** More types than are shared together, and one that no other store has. */
const modelOf = (name: string): string =>
  [
    'model\n  schema 1.1\ntype user',
    ...Array.from({ length: 9 }, (_, number) => `type t${number}\n  relations\n    define rel: [user]`),
    `type of_${name}\n  relations\n    define rel: [user]`,
  ].join('\n');

let scratch: ScratchEngine;

beforeEach(async () => {
  scratch = await ScratchEngine.open();
  for (const name of NAMES) {
    const store = await scratch.engine.createStore(name);
    await store.writeModel({ dsl: modelOf(name) });
    await store.write({ writes: [{ object: 't0:o', relation: 'rel', subject: 'user:ann' }] });
  }
});
afterEach(() => scratch.close());

const outcome = (name: string, object: string, modelId?: string): string => {
  const model = modelId === undefined ? {} : { modelId };
  const request = { object, relation: 'rel', subject: 'user:ann', ...model };
  try {
    return scratch.engine.store(name).check(request).outcome;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it('answers by the types of each of stores whose models are alike', () => {
  for (const asked of NAMES) {
    expect(outcome(asked, 't0:o')).toBe('allowed');
    expect(outcome(asked, 't8:o')).toBe('denied');
    expect(NAMES.map((of) => outcome(asked, `of_${of}:o`))).toEqual(
      NAMES.map((of) => (of === asked ? 'denied' : 'unknown_type')),
    );
  }
});

it('sees the first tuple of a shape in the store that has it, and in no other', async () => {
  const all = (object: string) => NAMES.map((name) => outcome(name, object));
  expect([all('t0:o'), all('t1:o')]).toEqual([NAMES.map(() => 'allowed'), NAMES.map(() => 'denied')]);
  const expiresAt = Date.now() + 60_000;
  const other = scratch.engine.store('other');
  await other.write({ writes: [{ object: 't1:o', relation: 'rel', subject: 'user:ann', expiresAt }] });
  expect(all('t1:o')).toEqual(['denied', 'allowed', 'denied']);
  await scratch.engine.store('one').write({ writes: [{ object: 't1:o', relation: 'rel', subject: 'user:ann' }] });
  expect(all('t1:o')).toEqual(['allowed', 'allowed', 'denied']);
});

it('answers by older versions, asked in turns, and by a newer one at once', async () => {
  const store = scratch.engine.store('one');
  const first = store.latestModelId() as string;
  const { modelId: second } = await store.writeModel({
    dsl: `${modelOf('one')}\ntype of_two\n  relations\n    define rel: [user]`,
  });
  const { modelId: third } = await store.writeModel({
    dsl: `${modelOf('one')}\ntype of_three\n  relations\n    define rel: [user]`,
  });
  for (let round = 0; round < 2; round++) {
    for (const [model, two, three] of [
      [first, 'unknown_type', 'unknown_type'],
      [second, 'denied', 'unknown_type'],
      [third, 'unknown_type', 'denied'],
    ] as const) {
      expect(['t0:o', 'of_two:o', 'of_three:o'].map((object) => outcome('one', object, model))).toEqual([
        'allowed',
        two,
        three,
      ]);
    }
  }
  await store.writeModel({ dsl: modelOf('four') });
  expect(['t0:o', 'of_four:o', 'of_three:o'].map((object) => outcome('one', object))).toEqual([
    'allowed',
    'denied',
    'unknown_type',
  ]);
  expect(outcome('one', 'of_two:o', second)).toBe('denied');
  expect(store.readTuples({ object: 't0:o' }).tuples).toHaveLength(1);
});
