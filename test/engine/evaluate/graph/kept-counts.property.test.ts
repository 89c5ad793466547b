import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore, TIME } from '../../store/scratch-store.ts';

/** More than fit into a list of the object, and some that are kept as places of pages. */
const MANY = 2_100;

const tuple = (number: number) => ({ object: 'doc:1', relation: 'viewer', subject: `user:u${number}` });
const first: Change[] = [
  { op: 'write_tuples', store: 's', tuples: Array.from({ length: MANY }, (_, number) => tuple(number)) },
];

const step = fc.record({
  number: fc.nat({ max: MANY + 5 }),
  how: fc.constantFrom('plain', 'plain', 'with a condition', 'until later', 'deleted', 'deleted'),
});

function changeOf({ number, how }: { readonly number: number; readonly how: string }): Change {
  const written = tuple(number);
  if (how === 'deleted') return { op: 'delete_tuples', store: 's', tuples: [written] };
  const condition = how === 'with a condition' ? { condition: { name: 'recent' } } : {};
  const expiry = how === 'until later' ? { expiresAt: TIME + 1 } : {};
  return { op: 'write_tuples', store: 's', tuples: [{ ...written, ...condition, ...expiry }] };
}

function expectPages(scratch: ScratchStore): void {
  const store = scratch.engine.store('s');
  const page = (offset: number, limit: number) =>
    store.subjectPage({ object: 'doc:1', relation: 'viewer', subjectType: 'user', offset, limit });
  const all = page(0, 10_000);
  expect(all.toSorted()).toEqual(
    scratch
      .tuples()
      .map((text) => /@user:(\w+)/.exec(text)?.[1])
      .sort(),
  );
  for (const offset of offsets) expect(page(offset, 7)).toEqual(all.slice(offset, offset + 7));
}

/** Of each kind in the order of their first mention, those without a condition or an expiry first. */
const offsets = [0, 1_000, 1_023, 1_024, 1_025, 2_040, 2_047, 2_048, 2_050, 2_090, 2_099, MANY, MANY + 3, MANY * 2];

it('counts and pages of many subjects stay right from commit to commit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 12 }), async (commands) => {
      const scratch = await ScratchStore.openModelled();
      try {
        scratch.apply(first);
        const count = () =>
          scratch.engine.store('s').countSubjects({ object: 'doc:1', relation: 'viewer', subjectType: 'user' });
        expect(count()).toBe(MANY);
        expectPages(scratch);
        for (const steps of commands) {
          scratch.apply(steps.map(changeOf));
          expect(count()).toBe(scratch.tuples().length);
          expectPages(scratch);
        }
      } finally {
        await scratch.close();
      }
    }),
    { numRuns: 12, seed },
  );
});
