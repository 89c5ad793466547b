import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LookAhead, Store } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

const STORES = 40;
/** More are not looked at together. */
const TOGETHER = 32;
const model = {
  dsl: `model
  schema 1.1
type user
type folder
  relations
    define viewer: [user]
type document
  relations
    define parent: [folder]
    define can_read: viewer from parent`,
};

let scratch: ScratchEngine;
let ahead: LookAhead;
const stores: Store[] = [];
beforeEach(async () => {
  scratch = await ScratchEngine.open();
  ahead = scratch.engine.lookAhead();
  stores.length = 0;
  for (let number = 0; number < STORES; number++) {
    const store = await scratch.engine.createStore(`s${number}`);
    await store.writeModel(model);
    await store.write({
      writes: [
        { object: 'document:plan', relation: 'parent', subject: `folder:f${number}` },
        { object: `folder:f${number}`, relation: 'viewer', subject: `user:u${number}` },
      ],
    });
    stores.push(store);
  }
});
afterEach(() => scratch.close());

const asked = (number: number) => ({ object: 'document:plan', relation: 'can_read', subject: `user:u${number}` });

const outcomeOf = (store: number, user: number): string => (stores[store] as Store).check(asked(user)).outcome;

/** Looks at questions, one of each store from a number on. */
function look(from: number, to: number, textOf: (number: number) => string): number {
  let octets = Buffer.alloc(0);
  for (let number = from; number < to; number++) {
    const text = Buffer.from(textOf(number));
    ahead.add(stores[number] as Store, octets.length, octets.length + text.length);
    octets = Buffer.concat([octets, text]);
  }
  return ahead.read(octets);
}

test('the names of a question are looked at, the list of its object, and the one behind it', () => {
  // names and the places of lists that nobody has asked for yet
  expect(look(0, 2, (number) => JSON.stringify(asked(number)))).toBe(2 * 3);
  for (let number = 0; number < 2; number++) expect(outcomeOf(number, number)).toBe('allowed');
  expect(look(0, 2, (number) => JSON.stringify(asked(number)))).toBe(2 * 4);
  // it has forgotten them
  expect(ahead.read(Buffer.alloc(0))).toBe(0);
});

test('what is no question has nothing to look at', () => {
  expect(outcomeOf(0, 0)).toBe('allowed');
  const texts = ['', '{', '"', '{"object":"document"}', `{"object":"document:${'x'.repeat(60)}"}`, '"a:b'];
  for (const text of texts) expect(look(0, 1, () => text)).toBe(0);
  // nobody has asked for this name: it is looked for, and has no list
  expect(look(0, 1, () => '{"object":"document:other"}')).toBe(1);
  expect(look(0, 1, () => `{"object":"document:plan","more":"${'x'.repeat(300)}"}`)).toBe(0);
});

test('more than can be looked at together are left out', () => {
  for (let number = 0; number < STORES; number++) expect(outcomeOf(number, number)).toBe('allowed');
  expect(look(0, STORES, (number) => JSON.stringify(asked(number)))).toBe(TOGETHER * 4);
  expect(look(TOGETHER, STORES, (number) => JSON.stringify(asked(number)))).toBe((STORES - TOGETHER) * 4);
});

test('no answer depends on it, whatever was looked at, written and deleted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          store: fc.nat(7),
          user: fc.nat(7),
          text: fc.oneof(fc.string(), fc.constant('{"object":"document:plan","subject":"user:u0"}')),
          op: fc.constantFrom('ask', 'look', 'give', 'take', 'model'),
        }),
        { maxLength: 30 },
      ),
      async (steps) => {
        const given = new Set(Array.from({ length: 8 }, (_, number) => `${number} ${number}`));
        for (const { store, user, text, op } of steps) {
          const tuple = { object: `folder:f${store}`, relation: 'viewer', subject: `user:u${user}` };
          const one = stores[store] as Store;
          if (op === 'give') await one.write({ writes: [tuple] });
          if (op === 'take') await one.write({ deletes: [tuple] });
          if (op === 'model') await one.writeModel(model);
          if (op === 'give') given.add(`${store} ${user}`);
          if (op === 'take') given.delete(`${store} ${user}`);
          if (op === 'look') look(0, 8, () => text);
          expect(outcomeOf(store, user)).toBe(given.has(`${store} ${user}`) ? 'allowed' : 'denied');
        }
        for (let store = 0; store < 8; store++) {
          const writes = [{ object: `folder:f${store}`, relation: 'viewer', subject: `user:u${store}` }];
          const others = Array.from({ length: 8 }, (_, user) => user).filter((user) => user !== store);
          const deletes = others.map((user) => ({
            object: `folder:f${store}`,
            relation: 'viewer',
            subject: `user:u${user}`,
          }));
          await (stores[store] as Store).write({ writes, deletes });
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('a store that was deleted is looked at, and still not there', async () => {
  expect(outcomeOf(0, 0)).toBe('allowed');
  await scratch.engine.deleteStore('s0');
  look(0, 1, () => JSON.stringify(asked(0)));
  expect(() => outcomeOf(0, 0)).toThrow('there is no store s0');
});
