import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import {
  type CountingDefinition,
  defineCountings,
  readCountings,
} from '../../../../engine/store/counting/countings.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore } from '../scratch-store.ts';

/** Fewer ids are passed over one by one, whether they are counted or not. */
const COUNT = 2_500;

/** So long that its start and its hash stand in keys. */
const LONG = `Zoë${'z'.repeat(500)}`;

const definition: CountingDefinition = { collection: 'notes', indexes: ['', 'kind', 'by'], blockSize: 16 };

/** Records by their ids: the kind, and by whom where it is known. */
type Notes = Map<string, { readonly kind: string; readonly by?: string }>;

interface Edit {
  readonly number: number;
  readonly share: number;
  readonly isGone: boolean;
}

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({ number: fc.nat(COUNT), share: fc.nat(9), isGone: fc.boolean() }),
  { minLength: 1, maxLength: 60 },
);

function idOf(number: number): string {
  return number % 97 === 0 ? `ü${'x'.repeat(number % 300)}${number}` : `n${String(number).padStart(5, '0')}`;
}

function noteOf(share: number) {
  return { kind: share < 9 ? 'frequent' : 'rare', ...(share < 5 ? { by: 'anne' } : share < 7 ? { by: LONG } : {}) };
}

function changeOf(notes: Notes, { number, share, isGone }: Edit): Change {
  const id = idOf(number);
  if (isGone) {
    notes.delete(id);
    return { op: 'delete_record', store: 's', collection: 'notes', id };
  }
  const indexes = noteOf(share);
  notes.set(id, indexes);
  return { op: 'put_record', store: 's', record: { collection: 'notes', id, document: { share }, indexes } };
}

function idsWith(notes: Notes, index: 'kind' | 'by' | undefined, key: string): string[] {
  const ids = [...notes].filter(([, note]) => index === undefined || note[index] === key).map(([id]) => id);
  return ids.sort((a, b) => Buffer.from(a).compare(Buffer.from(b)));
}

interface Asked {
  readonly index: 'kind' | 'by' | undefined;
  readonly key: string;
  readonly skip: number;
  readonly descending: boolean;
  readonly from: number | undefined;
  readonly before: number | undefined;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  index: fc.constantFrom(undefined, undefined, 'kind' as const, 'by' as const),
  key: fc.constantFrom('frequent', 'rare', 'anne', LONG),
  skip: fc.oneof(fc.nat(5), fc.nat(COUNT)),
  descending: fc.boolean(),
  from: fc.option(fc.nat(COUNT), { nil: undefined }),
  before: fc.option(fc.nat(COUNT), { nil: undefined }),
});

function expectSame(scratch: ScratchStore, notes: Notes, asked: Asked): void {
  const { index, descending, skip } = asked;
  const key = index === undefined ? '' : asked.key;
  const from = asked.from === undefined ? undefined : idOf(asked.from);
  const before = asked.before === undefined ? undefined : idOf(asked.before);
  const isFrom = (id: string, bound: string) => Buffer.from(id).compare(Buffer.from(bound)) >= 0;
  const ids = idsWith(notes, index, key).filter(
    (id) => (from === undefined || isFrom(id, from)) && (before === undefined || !isFrom(id, before)),
  );
  if (descending) ids.reverse();
  const reader = scratch.engine.store('s').recordIndex('notes');
  expect(reader.count(index, key, { from, before })).toBe(ids.length);
  expect(reader.ids(index, key, { from, before, skip, descending, limit: 7 })).toEqual(ids.slice(skip, skip + 7));
}

describe('ids that are counted in blocks', () => {
  it('are numbered and found by their number as a plain scan finds them, and are verified', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('before', 'between', 'after'),
        edits,
        edits,
        fc.array(asked, { minLength: 20, maxLength: 40 }),
        async (defined, first, second, questions) => {
          let scratch = await ScratchStore.openModelled();
          // a writer counts what was defined when it was opened
          const define = async (): Promise<void> => {
            defineCountings(scratch.writer.tables, [definition]);
            scratch = await scratch.reopen();
          };
          try {
            if (defined === 'before') await define();
            const notes: Notes = new Map();
            const all = Array.from({ length: COUNT }, (_, number) => ({ number, share: number % 10, isGone: false }));
            scratch.apply(all.map((edit) => changeOf(notes, edit)));
            if (defined === 'between') await define();
            // each of these counts some of what was there before
            for (const edit of first.slice(0, 3)) {
              scratch.apply([changeOf(notes, edit)]);
              expect((await scratch.verify()).problems).toEqual([]);
            }
            for (const edit of first.slice(3)) scratch.apply([changeOf(notes, edit)]);
            if (defined === 'after') await define();
            for (const each of questions) expectSame(scratch, notes, each);
            for (const edit of second) scratch.apply([changeOf(notes, edit)]);
            for (let steps = 0; steps < 8; steps++) scratch.run([scratch.command([])]);
            expect(readCountings(scratch.writer.tables).map(({ built }) => built)).toEqual([null]);
            for (const each of questions) expectSame(scratch, notes, each);
            expect((await scratch.verify()).problems).toEqual([]);
          } finally {
            await scratch.close();
          }
        },
      ),
      { seed, numRuns: 25 },
    );
  }, 120_000);
});
