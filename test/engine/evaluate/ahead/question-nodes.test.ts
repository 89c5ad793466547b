import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BulkDecision, type CheckRequest, EngineError, type Store } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

const model = {
  dsl: `model
  schema 1.1
type user
type group
  relations
    define member: [user, group#member]
type folder
  relations
    define viewer: [user, user:*, group#member]
type document
  relations
    define parent: [folder]
    define owner: [user]
    define can_read: owner or viewer from parent`,
};
const DOCUMENTS = 60;
/** Neither is in the table of names: one is too long for it, one not ASCII. */
const LONG = `document:${'l'.repeat(60)}`;
const FOREIGN = 'document:šifra';

/** In the smallest table, names stand in every level, and those that find no room beside it. */
let scratch: ScratchEngine;
let store: Store;
let other: Store;
beforeEach(async () => {
  scratch = await ScratchEngine.open({ nameBytes: 1 });
  store = await scratch.engine.createStore('s');
  other = await scratch.engine.createStore('other');
  for (const each of [store, other]) await each.writeModel(model);
  const documents = [...Array.from({ length: DOCUMENTS }, (_, number) => `document:d${number}`), LONG, FOREIGN];
  const writes = documents.flatMap((object, number) => [
    { object, relation: 'parent', subject: `folder:f${number % 5}` },
    { object, relation: 'owner', subject: `user:u${number % 7}` },
  ]);
  writes.push(
    { object: 'folder:f0', relation: 'viewer', subject: 'user:*' },
    { object: 'folder:f1', relation: 'viewer', subject: 'group:g#member' },
    { object: 'group:g', relation: 'member', subject: 'group:h#member' },
    { object: 'group:h', relation: 'member', subject: 'user:member' },
  );
  await store.write({ writes });
  await other.write({ writes: [{ object: 'document:d1', relation: 'owner', subject: 'user:theirs' }] });
});
afterEach(() => scratch.close());

const object = fc.oneof(
  { weight: 9, arbitrary: fc.nat({ max: DOCUMENTS }).map((number) => `document:d${number}`) },
  { weight: 2, arbitrary: fc.constantFrom(LONG, FOREIGN, 'folder:f1', 'group:g') },
  { weight: 1, arbitrary: fc.constantFrom('nothing:x', 'document', '', 'document:*', `document:${'x'.repeat(600)}`) },
);
const subject = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 7 }).map((number) => `user:u${number}`) },
  { weight: 3, arbitrary: fc.constantFrom('user:member', 'group:h#member', 'group:g#member', 'user:*', 'user:new') },
  { weight: 1, arbitrary: fc.constantFrom('user', 'nobody:x', 'user:u1#member', 'user:theirs') },
);
const relation = fc.constantFrom('can_read', 'can_read', 'owner', 'viewer', 'member', 'none');
const question: fc.Arbitrary<CheckRequest> = fc.record({ object, relation, subject });
/** Runs about one subject, as pages of a list have them, and others between. */
const questions = fc
  .array(fc.tuple(question, fc.array(fc.record({ object, relation }), { maxLength: 40 })), { maxLength: 6 })
  .map((runs) => runs.flatMap(([first, more]) => [first, ...more.map((each) => ({ ...first, ...each }))]));

function alone(of: Store, request: CheckRequest): BulkDecision {
  try {
    return of.check(request);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { outcome: 'error', code: error.code, message: error.message, details: error.details };
  }
}

test('many questions together have the answers that each has alone', () => {
  fc.assert(
    fc.property(questions, fc.boolean(), (asked, isOther) => {
      const of = isOther ? other : store;
      const together = of.checkMany(asked);
      expect(together).toEqual(asked.map((request) => alone(of, request)));
      expect(of.checkMany(asked)).toEqual(together);
    }),
    { numRuns: 300 },
  );
});

test('what was written between two calls counts in the second', async () => {
  const asked = Array.from({ length: 100 }, (_, number) => ({
    object: `document:late${number}`,
    relation: 'owner',
    subject: 'user:late',
  }));
  expect(store.checkMany(asked).every(({ outcome }) => outcome === 'denied')).toBe(true);
  await store.write({ writes: asked.filter((_, number) => number % 2 === 0) });
  const outcomes = store.checkMany(asked).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(asked.map((_, number) => (number % 2 === 0 ? 'allowed' : 'denied')));
  await store.write({ deletes: asked });
  expect(store.checkMany(asked).every(({ outcome }) => outcome === 'denied')).toBe(true);
});

test('what all questions share is asked with each of them', () => {
  const asked = Array.from({ length: 70 }, (_, number) => ({
    object: `document:d${number % DOCUMENTS}`,
    relation: 'can_read',
    subject: number % 3 === 0 ? 'user:given' : 'user:member',
  }));
  const shared = { contextualTuples: [{ object: 'folder:f2', relation: 'viewer', subject: 'user:given' }] };
  const together = store.checkMany(asked, shared);
  expect(together).toEqual(asked.map((request) => store.check({ ...shared, ...request })));
  expect(together.some(({ outcome }) => outcome === 'allowed')).toBe(true);
});
