import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../engine/index.ts';
import type { TupleFilter } from '../../../engine/requests.ts';
import { formatTuple, type Tuple } from '../../../engine/tuple.ts';
import { runsOf } from '../../generated/extent.ts';
import { seed } from '../../generated/seed.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { Codons, type Genes, genes } from './generate/codons.ts';
import { inBatches } from './verify/in-batches.ts';

const SEQUENCES = runsOf({ quick: 50, whole: 150 });
/** Beyond any clock, so that nothing expires meanwhile. */
const LATER = 4_000_000_000_000;

const DSL = `model
  schema 1.1
type user
type team
  relations
    define member: [user, user:*, team#member, user with c]
type doc
  relations
    define parent: [doc]
    define viewer: [user, user:*, team#member, user with c, team#member with c]
condition c(x: int) {
  x < 5
}
`;

const OBJECTS = ['doc:1', 'doc:2', 'doc:3', 'doc:10'] as const;
const SUBJECTS = ['user:1', 'user:2', 'user:10', 'user:*', 'team:1#member', 'team:2#member'] as const;
const TEAMS = ['team:1', 'team:2'] as const;

const FILTERS: readonly TupleFilter[] = [
  {},
  ...['doc:1', 'doc:', 'team:'].map((object) => ({ object })),
  ...['viewer', 'member'].map((relation) => ({ relation })),
  ...['user:1', 'user:*', 'user:', 'team:1#member', 'team:'].map((subject) => ({ subject })),
  { object: 'doc:1', relation: 'viewer' },
  { object: 'doc:', relation: 'viewer', subject: 'user:1' },
  { object: 'doc:1', subject: 'user:' },
  { relation: 'viewer', subject: 'team:1#member' },
];

describe('a store of tuples', () => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  it(`holds what a map holds, in ${SEQUENCES} sequences of commits`, { timeout: 120_000 }, async () => {
    let stores = 0;
    const play = async (steps: readonly Genes[]) => {
      const store = await scratch.engine.createStore(`map-${stores++}`);
      await store.writeModel({ dsl: DSL });
      const map = new Map<string, Tuple>();
      const before = store.revision();
      for (const step of steps) {
        await playStep(store, map, new Codons(step));
        expectTuples(store, map);
      }
      expect(sorted([...followed(store, before).values()])).toEqual(sorted([...map.values()]));
    };
    const sequences = fc.array(genes(40), { minLength: 1, maxLength: 12, size: 'max' });
    await inBatches(sequences, play, { runs: SEQUENCES, seed });
  });
});

/** One commit on both sides. Preconditions are judged before the first change, deletes are made before writes. */
async function playStep(store: Store, map: Map<string, Tuple>, step: Codons): Promise<void> {
  const some = (max: number) => Array.from({ length: step.below(max) }, () => generate(step));
  const [deletes, writes] = [some(4), some(5)];
  const preconditions = some(3).map((tuple) => {
    const exists = map.has(formatTuple(tuple)) !== step.once(8);
    return { require: exists ? 'tuple_exists' : 'tuple_absent', store: store.name, tuple: bare(tuple) } as const;
  });
  const met = preconditions.every(({ require, tuple }) => (require === 'tuple_exists') === map.has(formatTuple(tuple)));
  const commit = store.write({ writes, deletes: deletes.map(bare), preconditions });
  if (!met) {
    await expect(commit).rejects.toMatchObject({ code: 'precondition_failed' });
    return;
  }
  await commit;
  for (const tuple of deletes) map.delete(formatTuple(tuple));
  for (const tuple of writes) map.set(formatTuple(tuple), tuple);
}

function generate(step: Codons): Tuple {
  if (step.once(6)) return { object: step.pick(OBJECTS), relation: 'parent', subject: step.pick(OBJECTS) };
  const isTeam = step.once(4);
  const object = step.pick(isTeam ? TEAMS : OBJECTS);
  const subject = step.pick(SUBJECTS);
  const triple = { object, relation: isTeam ? 'member' : 'viewer', subject };
  const expiry = step.once(5) ? { expiresAt: LATER + step.below(2) } : {};
  const takesCondition = subject.startsWith('user:') ? !subject.endsWith('*') : !isTeam;
  if (!takesCondition || !step.once(4)) return { ...triple, ...expiry };
  const condition = step.once(2) ? { name: 'c', context: { x: step.below(3) } } : { name: 'c' };
  return { ...triple, ...expiry, condition };
}

function bare({ object, relation, subject }: Tuple): Tuple {
  return { object, relation, subject };
}

function expectTuples(store: Store, map: ReadonlyMap<string, Tuple>): void {
  expect(store.stats().tuples).toBe(map.size);
  FILTERS.forEach((filter, i) => {
    const expected = [...map.values()].filter((tuple) => passes(tuple, filter));
    expect({ filter, tuples: sorted(readAll(store, filter, 1 + (i % 3))) }).toEqual({
      filter,
      tuples: sorted(expected),
    });
  });
}

/** What one who only follows the changes would hold. */
function followed(store: Store, before: number): Map<string, Tuple> {
  const map = new Map<string, Tuple>();
  for (let after = before; ; ) {
    const { changes, revision } = store.changes(after, 3);
    for (const { op, tuple } of changes.flatMap(({ tuples }) => tuples)) {
      if (op === 'write') map.set(formatTuple(tuple), tuple);
      else map.delete(formatTuple(tuple));
    }
    if (revision === after) return map;
    after = revision;
  }
}

function readAll(store: Store, filter: TupleFilter, limit: number): Tuple[] {
  const tuples: Tuple[] = [];
  let page = store.readTuples({ ...filter, limit });
  for (;;) {
    expect(page.tuples.length).toBeLessThanOrEqual(limit);
    tuples.push(...page.tuples);
    if (page.cursor === undefined) return tuples;
    page = store.readTuples({ ...filter, limit, cursor: page.cursor });
  }
}

function passes(tuple: Tuple, { object, relation, subject }: TupleFilter): boolean {
  const fits = (value: string, wanted: string | undefined) =>
    wanted === undefined || (wanted.endsWith(':') ? value.startsWith(wanted) : value === wanted);
  return fits(tuple.object, object) && fits(tuple.subject, subject) && (relation ?? tuple.relation) === tuple.relation;
}

function sorted(tuples: readonly Tuple[]): Tuple[] {
  return tuples.toSorted((a, b) => (formatTuple(a) < formatTuple(b) ? -1 : 1));
}
