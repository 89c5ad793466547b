import { describe, expect, it } from 'vitest';
import type { ConditionResult } from '../../../engine/condition/condition.ts';
import { parseModel } from '../../../engine/model/index.ts';
import { parseTuple } from '../../../engine/tuple.ts';
import { Oracle } from './oracle.ts';

// What the OpenFGA suite leaves open is decided here: each case is the answer to one question, worked out by hand.
const cases = [
  {
    name: 'a cycle without a negation is false',
    given: { doc: ['a: [user, doc#b]', 'b: [doc#a]'], tuples: ['doc:1#a@doc:1#b', 'doc:1#b@doc:1#a'] },
    expect: { 'doc:1#a@user:u': 'denied' },
  },
  {
    name: 'what is not excluded by a cycle without a negation is allowed',
    given: { doc: ['a: [user] but not b', 'b: [user, doc#b]'], tuples: ['doc:1#a@user:u', 'doc:1#b@doc:1#b'] },
    expect: { 'doc:1#a@user:u': 'allowed' },
  },
  {
    name: 'a relation that depends on its own negation is undefined, and so is what depends on it',
    given: {
      doc: ['a: [user] but not b', 'b: [user, doc#a]', 'c: [user] but not a', 'd: [user] or a'],
      tuples: ['doc:1#a@user:u', 'doc:1#b@doc:1#a', 'doc:1#c@user:u', 'doc:1#d@user:u'],
    },
    expect: {
      'doc:1#a@user:u': 'cycle',
      'doc:1#b@user:u': 'cycle',
      'doc:1#c@user:u': 'cycle',
      'doc:1#d@user:u': 'allowed',
      'doc:1#d@user:v': 'denied',
    },
  },
  {
    name: 'two negations on a cycle are undefined, whether written as one rule or as two',
    given: {
      doc: [
        'a: [user] but not b',
        'b: [user] but not c',
        'c: [user, doc#a]',
        'd: [user] but not (e but not f)',
        'e: [user]',
        'f: [user, doc#d]',
      ],
      tuples: ['a', 'b', 'd', 'e'].map((r) => `doc:1#${r}@user:u`).concat('doc:1#c@doc:1#a', 'doc:1#f@doc:1#d'),
    },
    expect: { 'doc:1#a@user:u': 'cycle', 'doc:1#d@user:u': 'cycle' },
  },
  {
    name: 'a userset holds for itself, through every rule that leads to it',
    given: {
      doc: ['parent: [doc]', 'a: [user]', 'b: a', 'c: a from parent', 'd: [doc#a]', 'e: [user] but not a'],
      tuples: ['doc:2#parent@doc:1', 'doc:1#d@doc:1#a'],
    },
    expect: {
      'doc:1#a@doc:1#a': 'allowed',
      'doc:1#b@doc:1#a': 'allowed',
      'doc:2#c@doc:1#a': 'allowed',
      'doc:1#d@doc:1#a': 'allowed',
      'doc:1#e@doc:1#a': 'denied',
      'doc:1#e@doc:1#e': 'allowed',
      'doc:2#a@doc:1#a': 'denied',
    },
  },
  {
    name: 'a wildcard covers the objects of its type, and neither usersets nor other types',
    given: { doc: ['a: [user:*, doc:*]'], tuples: ['doc:1#a@user:*'] },
    expect: {
      'doc:1#a@user:anyone': 'allowed',
      'doc:1#a@user:*': 'allowed',
      'doc:1#a@doc:1': 'denied',
      'doc:1#a@doc:*': 'denied',
      'doc:1#a@doc:2#a': 'denied',
    },
  },
  {
    name: 'a wildcard as a subject is no one in particular',
    given: {
      doc: ['a: [user, user:*] but not b', 'b: [user]'],
      tuples: ['doc:1#a@user:*', 'doc:1#b@user:u', 'doc:2#a@user:u'],
    },
    expect: { 'doc:1#a@user:*': 'allowed', 'doc:1#a@user:u': 'denied', 'doc:2#a@user:*': 'denied' },
  },
  {
    name: 'missing context matters only where the rest does not decide',
    given: {
      doc: [
        'a: [user, user with c, doc#b with c]',
        'b: [user]',
        'd: [user with c] but not b',
        'e: [user with c] and b',
      ],
      tuples: [
        'doc:1#a@user:u c',
        'doc:1#a@doc:2#b c',
        'doc:2#b@user:v',
        'doc:1#d@user:v c',
        'doc:2#d@user:v c',
        'doc:1#e@user:u c',
      ],
    },
    expect: {
      'doc:1#a@user:u': 'conditional',
      'doc:1#a@user:v': 'conditional',
      'doc:1#a@user:w': 'denied',
      'doc:1#d@user:v': 'conditional',
      'doc:2#d@user:v': 'denied',
      'doc:1#e@user:u': 'denied',
    },
  },
  {
    name: 'missing context outranks a cycle where it could help, and a cycle does not hide a denial',
    given: {
      doc: [
        'a: [user] but not b',
        'b: [user, doc#a]',
        'c: [user with c] or a',
        'd: [user with c] and a',
        'e: f and a',
        'f: [user]',
      ],
      tuples: ['doc:1#a@user:u', 'doc:1#b@doc:1#a', 'doc:1#c@user:u c', 'doc:1#d@user:u c'],
    },
    expect: { 'doc:1#c@user:u': 'conditional', 'doc:1#d@user:u': 'cycle', 'doc:1#e@user:u': 'denied' },
  },
  {
    name: 'a tuple that the model has no place for does not count',
    given: {
      doc: ['a: [user, doc#b, user with c]', 'b: [user]', 'parent: [doc]', 'd: b from parent'],
      tuples: [
        'doc:1#a@doc:1',
        'doc:1#a@user:*',
        'doc:1#a@doc:2#a',
        'doc:2#a@user:u',
        'doc:1#b@user:v c',
        'doc:1#d@user:u',
      ],
    },
    expect: {
      'doc:1#a@doc:1': 'denied',
      'doc:1#a@user:u': 'denied',
      'doc:1#b@user:v': 'denied',
      'doc:1#d@user:u': 'denied',
    },
  },
  {
    name: 'a parent whose type lacks the relation is passed over',
    given: {
      doc: ['parent: [doc, user]', 'a: [user]', 'b: a from parent'],
      tuples: ['doc:1#parent@user:u', 'doc:1#parent@doc:2', 'doc:2#a@user:u'],
    },
    expect: { 'doc:1#b@user:u': 'allowed', 'doc:1#b@user:v': 'denied' },
  },
];

const unknown: ConditionResult = { kind: 'missing', names: ['x'] };

describe('the oracle', () => {
  it.each(cases)('$name', ({ given, expect: expected }) => {
    const oracle = build(given);
    const answers = Object.keys(expected).map((question) => {
      const { object, relation, subject } = parseTuple(question);
      return [question, oracle.decide(object, relation, subject).outcome];
    });
    expect(Object.fromEntries(answers)).toEqual(expected);
  });
});

/** A model of `user` and `doc`, whose condition `c` always lacks its context. A tuple ends in ` c` where it has it. */
function build({ doc, tuples }: { doc: readonly string[]; tuples: readonly string[] }): Oracle {
  const condition = doc.some((line) => line.includes('with c')) ? 'condition c(x: int) {\n  x > 0\n}\n' : '';
  const defines = doc.map((line) => `    define ${line}\n`).join('');
  const model = parseModel({ dsl: `model\n  schema 1.1\ntype user\ntype doc\n  relations\n${defines}${condition}` });
  const stored = tuples.map((text) => {
    const [triple = '', name] = text.split(' ');
    return name === undefined ? parseTuple(triple) : { ...parseTuple(triple), condition: { name } };
  });
  const conditions = new Map([['c', { name: 'c', parameters: new Map(), evaluate: () => unknown }]]);
  return new Oracle({ model, tuples: stored, conditions, now: 0 });
}
