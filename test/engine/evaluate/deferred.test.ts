import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tuple } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const MODEL = {
  dsl: `model
  schema 1.1
type user
type group
  relations
    define member: [user, group#member]
type folder
  relations
    define parent: [folder]
    define viewer: [user, group#member]
    define can_view: viewer or can_view from parent
`,
};
const USERS = 4;
const GROUPS = 4;
const FOLDERS = 6;

const number = (below: number) => fc.nat(below - 1);
const subject = fc.oneof(
  number(USERS).map((n) => `user:${n}`),
  number(GROUPS).map((n) => `group:${n}#member`),
);
const parent: fc.Arbitrary<Tuple> = fc
  .tuple(number(FOLDERS), number(FOLDERS))
  .map(([below, above]) => ({ object: `folder:${below}`, relation: 'parent', subject: `folder:${above}` }));
const viewer: fc.Arbitrary<Tuple> = fc
  .tuple(number(FOLDERS), subject)
  .map(([folder, who]) => ({ object: `folder:${folder}`, relation: 'viewer', subject: who }));
const member: fc.Arbitrary<Tuple> = fc
  .tuple(number(GROUPS), subject)
  .map(([group, who]) => ({ object: `group:${group}`, relation: 'member', subject: who }));

/** All that holds, by passes over the tuples until nothing is added. */
function fixpoint(tuples: readonly Tuple[]): ReadonlySet<string> {
  const holds = new Set<string>();
  for (let before = -1; before !== holds.size; ) {
    before = holds.size;
    for (let user = 0; user < USERS; user++) {
      for (const { object, relation, subject: who } of tuples) {
        const of = relation === 'parent' ? `${who}#can_view` : who;
        if (who !== `user:${user}` && !holds.has(`${of}@${user}`)) continue;
        holds.add(`${object}#${relation === 'member' ? 'member' : 'can_view'}@${user}`);
      }
    }
  }
  return holds;
}

describe('usersets that are asked about after the way up over parents', () => {
  it('decide as they do when they are asked about at once, in one question and in many of one subject', async () => {
    const scratch = await ScratchEngine.open({ limits: { keptMin: 3 } as object });
    let stores = 0;
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(parent, parent, viewer, member), { maxLength: 24 }), async (tuples) => {
          const store = await scratch.engine.createStore(`s${stores++}`);
          await store.writeModel(MODEL);
          await store.write({ writes: tuples });
          const holds = fixpoint(tuples);
          for (let user = 0; user < USERS; user++) {
            const checks = Array.from({ length: FOLDERS }, (_, folder) => ({
              object: `folder:${folder}`,
              relation: 'can_view',
              subject: `user:${user}`,
            }));
            const expected = checks.map(({ object }) =>
              holds.has(`${object}#can_view@${user}`) ? 'allowed' : 'denied',
            );
            const many = store.checkMany([...checks, ...checks.toReversed()]);
            expect(many.map(({ outcome }) => outcome)).toEqual([...expected, ...expected.toReversed()]);
            expect(checks.map((check) => store.check(check).outcome)).toEqual(expected);
          }
        }),
        { numRuns: 150 },
      );
    } finally {
      await scratch.close();
    }
  });

  it('take one list of the subject where a folder above names it', async () => {
    const scratch = await ScratchEngine.open();
    try {
      const store = await scratch.engine.createStore('s');
      await store.writeModel(MODEL);
      const folders = [0, 1, 2, 3].map((n) => ({
        object: `folder:${n}`,
        relation: 'parent',
        subject: `folder:${n + 1}`,
      }));
      const groups = [0, 1, 2, 3].map((n) => ({
        object: `folder:${n}`,
        relation: 'viewer',
        subject: 'group:g#member',
      }));
      const ofAnne = Array.from({ length: 50 }, (_, n) => ({
        object: `group:${n}`,
        relation: 'member',
        subject: 'user:anne',
      }));
      const named = { object: 'folder:4', relation: 'viewer', subject: 'user:anne' };
      await store.write({ writes: [...folders, ...groups, ...ofAnne, named] });
      const before = scratch.engine.cacheCounts().misses;
      const question = { object: 'folder:0', relation: 'can_view', subject: 'user:anne' };
      expect(store.check(question).outcome).toBe('allowed');
      // five folders, and what names the subject directly
      expect(scratch.engine.cacheCounts().misses - before).toBe(6);
    } finally {
      await scratch.close();
    }
  });

  it('are walked down from where that takes fewer lists than the way up, as they are now', async () => {
    const scratch = await ScratchEngine.open();
    try {
      const store = await scratch.engine.createStore('s');
      await store.writeModel(MODEL);
      const tower = Array.from({ length: 20 }, (_, n) => ({
        object: `group:${n + 1}`,
        relation: 'member',
        subject: `group:${n}#member`,
      }));
      const ofAnne = { object: 'group:0', relation: 'member', subject: 'user:anne' };
      const viewer = { object: 'folder:0', relation: 'viewer', subject: 'group:leaf#member' };
      await store.write({ writes: [...tower, ofAnne, viewer] });
      const question = { object: 'folder:0', relation: 'can_view', subject: 'user:anne' };
      const before = scratch.engine.cacheCounts().misses;
      expect(store.check(question).outcome).toBe('denied');
      // the folder, what names the subject, and the usersets in the group
      expect(scratch.engine.cacheCounts().misses - before).toBe(3);

      const below = ['group:between#member', 'group:10#member'].map((member, n) => ({
        object: n === 0 ? 'group:leaf' : 'group:between',
        relation: 'member',
        subject: member,
      }));
      await store.write({ writes: below });
      expect(store.check(question).outcome).toBe('allowed');
      await store.write({ writes: [], deletes: below.slice(1) });
      for (const user of ['anne', 'anne', 'beth']) {
        expect(store.check({ ...question, subject: `user:${user}` }).outcome).toBe('denied');
      }
    } finally {
      await scratch.close();
    }
  });

  it.each([
    { name: 'at the greatest depth', groups: 25, expected: 'allowed' },
    { name: 'beyond it', groups: 26, expected: 'too_deep' },
  ])('are members through groups $name', async ({ groups, expected }) => {
    const scratch = await ScratchEngine.open();
    try {
      const store = await scratch.engine.createStore('s');
      await store.writeModel(MODEL);
      const tower = Array.from({ length: groups }, (_, n) => ({
        object: `group:${n + 1}`,
        relation: 'member',
        subject: n === 0 ? 'user:anne' : `group:${n}#member`,
      }));
      const viewer = { object: 'folder:0', relation: 'viewer', subject: `group:${groups}#member` };
      await store.write({ writes: [...tower, viewer] });
      const [answer] = store.checkMany([{ object: 'folder:0', relation: 'can_view', subject: 'user:anne' }]);
      expect(answer?.outcome === 'error' ? answer.code : answer?.outcome).toBe(expected);
    } finally {
      await scratch.close();
    }
  });
});
