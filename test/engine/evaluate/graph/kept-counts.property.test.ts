import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore, TIME } from '../../store/scratch-store.ts';

/** More than fit into a list of the object. */
const MANY = 300;

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

it('counts of many subjects stay right from commit to commit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 12 }), async (commands) => {
      const scratch = await ScratchStore.openModelled();
      try {
        scratch.apply(first);
        const count = () =>
          scratch.engine.store('s').countSubjects({ object: 'doc:1', relation: 'viewer', subjectType: 'user' });
        expect(count()).toBe(MANY);
        for (const steps of commands) {
          scratch.apply(steps.map(changeOf));
          expect(count()).toBe(scratch.tuples().length);
        }
      } finally {
        await scratch.close();
      }
    }),
    { numRuns: 20, seed },
  );
});
