import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../engine/command/command.ts';
import { parseTuple, type Tuple } from '../../../engine/tuple.ts';
import { ScratchStore, TIME } from '../store/scratch-store.ts';

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
});

afterEach(() => scratch.close());

const write = (tuples: readonly Tuple[]): Change => ({ op: 'write_tuples', store: 's', tuples });
const store = () => scratch.engine.store('s');
const question = parseTuple('doc:1#viewer@user:ann');
const answers = () => ({
  check: store().check({ ...question, now: TIME }).outcome,
  objects: store().listObjects({ type: 'doc', relation: 'viewer', subject: 'user:ann', now: TIME }).items,
  subjects: store().listSubjects({ object: 'doc:1', relation: 'viewer', subjectType: 'user', now: TIME }).items,
  counts: [
    store().countSubjects({ object: 'doc:1', relation: 'viewer', subjectType: 'user' }),
    store().countObjects({ objectType: 'doc', relation: 'viewer', subject: 'user:ann' }),
  ],
});
const NOBODY = { check: 'denied', objects: [], subjects: [], counts: [0, 0] };
const ANN = { check: 'allowed', objects: ['doc:1'], subjects: ['user:ann'], counts: [1, 1] };
const others = (count: number): Tuple[] =>
  Array.from({ length: count }, (_, i) => parseTuple(`doc:1#viewer@group:g${i}#member`));

// in a list, and in one that is too long to be kept
describe.each([0, 5_000])('the first tuple of its shape, beside %i others of its object', (count) => {
  it.each([
    { name: 'without condition or expiry', given: question },
    { name: 'with an expiry', given: { ...question, expiresAt: TIME + 1_000 } },
  ])('$name is seen by who has looked before', ({ given }) => {
    scratch.apply([write(others(count))]);
    expect(answers()).toEqual(NOBODY);
    scratch.apply([write([given])]);
    expect(answers()).toEqual(ANN);
    scratch.apply([{ op: 'delete_tuples', store: 's', tuples: [given] }]);
    expect(answers()).toEqual(NOBODY);
    scratch.apply([write([given])]);
    expect(answers()).toEqual(ANN);
  });

  it('is seen on the way to the object too', () => {
    scratch.apply([write([...others(count), parseTuple('doc:1#viewer@group:a#member')])]);
    expect(answers()).toEqual(NOBODY);
    scratch.apply([write([{ ...parseTuple('group:a#member@user:ann'), expiresAt: TIME + 1_000 }])]);
    expect(answers()).toEqual({ ...ANN, counts: [0, 0] });
  });
});
