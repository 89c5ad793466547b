import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExpandNode, parseTuple, type Question, type Store, type Tuple } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const DSL = `
model
  schema 1.1
type user
type team
  relations
    define member: [user]
type site
type folder
  relations
    define viewer: [user]
type doc
  relations
    define parent: [folder, site, folder with in_office]
    define banned: [user]
    define editor: [user]
    define viewer: [user, user:*, team#member, user with in_office] or editor or viewer from parent
    define reader: (viewer and editor) but not banned
condition in_office(floor: int) {
  floor > 2
}
`;

const BEFORE = `
model
  schema 1.1
type user
type bot
type doc
  relations
    define viewer: [user, bot, user with old]
condition old(x: int) {
  x > 0
}
`;

const NOW = 1_800_000_000_000;
const inOffice = (context?: Record<string, unknown>) => ({ name: 'in_office', ...(context && { context }) });
const STORED: readonly Tuple[] = [
  ...['doc:1#viewer@user:ann', 'doc:1#viewer@user:*', 'doc:1#viewer@team:a#member'].map(parseTuple),
  { ...parseTuple('doc:1#viewer@user:asks'), condition: inOffice() },
  { ...parseTuple('doc:1#viewer@user:never'), condition: inOffice({ floor: 1 }) },
  { ...parseTuple('doc:1#viewer@user:always'), condition: inOffice({ floor: 5 }) },
  { ...parseTuple('doc:1#viewer@user:late'), expiresAt: NOW },
  { ...parseTuple('doc:1#viewer@user:soon'), expiresAt: NOW + 1 },
  ...['doc:1#parent@folder:x', 'doc:1#parent@site:s'].map(parseTuple),
  { ...parseTuple('doc:1#parent@folder:y'), condition: inOffice() },
];

let scratch: ScratchEngine;
let store: Store;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('main');
  await store.writeModel({ dsl: BEFORE });
  const old = { ...parseTuple('doc:1#viewer@user:former'), condition: { name: 'old', context: { x: 1 } } };
  await store.write({ writes: [old, parseTuple('doc:1#viewer@bot:b')] });
  await store.writeModel({ dsl: DSL });
  await store.write({ writes: STORED });
});

afterAll(() => scratch.close());

function expand(relation: string, question: Question = {}, object = 'doc:1'): ExpandNode {
  return store.expand({ object, relation, now: NOW, ...question });
}

/** The direct node of a relation whose rewrite is a union that begins with one. */
function direct(question: Question = {}): Extract<ExpandNode, { kind: 'direct' }> {
  const node = expand('viewer', question);
  const [first] = node.kind === 'union' ? node.children : [];
  if (first?.kind !== 'direct') throw new Error('the first operand is direct');
  return first;
}

const everybody = ['user:ann', 'user:*', 'team:a#member', 'user:asks', 'user:always', 'user:soon'];

describe('the rewrite of a relation', () => {
  it('is told for one level', () => {
    expect(expand('viewer')).toEqual({
      kind: 'union',
      target: 'doc:1#viewer',
      children: [
        { kind: 'direct', target: 'doc:1#viewer', subjects: expect.arrayContaining(everybody) },
        { kind: 'computed', target: 'doc:1#viewer', userset: 'doc:1#editor' },
        {
          kind: 'from',
          target: 'doc:1#viewer',
          tupleset: 'doc:1#parent',
          parents: 'any',
          usersets: ['folder:x#viewer', 'folder:y#viewer'],
        },
      ],
    });
  });

  it('with intersection and exclusion', () => {
    const target = 'doc:1#reader';
    expect(expand('reader')).toEqual({
      kind: 'exclusion',
      target,
      base: {
        kind: 'intersection',
        target,
        children: [
          { kind: 'computed', target, userset: 'doc:1#viewer' },
          { kind: 'computed', target, userset: 'doc:1#editor' },
        ],
      },
      subtract: { kind: 'computed', target, userset: 'doc:1#banned' },
    });
  });

  it('of an object that the store does not know', () => {
    expect(expand('banned', {}, 'doc:new')).toEqual({ kind: 'direct', target: 'doc:new#banned', subjects: [] });
  });

  it('of an older model version', () => {
    const oldest = store.modelIds().at(-1) as string;
    const node = expand('viewer', { modelId: oldest });
    expect(node).toEqual({ kind: 'direct', target: 'doc:1#viewer', subjects: expect.any(Array) });
    expect(node.kind === 'direct' && node.subjects.toSorted()).toEqual([
      'bot:b',
      'user:ann',
      'user:former',
      'user:soon',
    ]);
  });
});

describe('direct subjects', () => {
  const contextual = (text: string, more: Partial<Tuple> = {}): Tuple => ({ ...parseTuple(text), ...more });
  const without = (...names: string[]) => everybody.filter((name) => !names.includes(name));
  const cases: readonly { name: string; given: Question; expect: string[] }[] = [
    { name: 'leave out what has expired or cannot hold', given: {}, expect: everybody },
    { name: 'later', given: { now: NOW + 1 }, expect: without('user:soon') },
    { name: 'where the context decides against', given: { context: { floor: 1 } }, expect: without('user:asks') },
    { name: 'where the context decides for', given: { context: { floor: 9 } }, expect: everybody },
    {
      name: 'with contextual tuples',
      given: { contextualTuples: [contextual('doc:1#viewer@user:new'), contextual('doc:2#viewer@user:else')] },
      expect: [...everybody, 'user:new'],
    },
    {
      name: 'with a contextual tuple in the place of a stored one',
      given: { contextualTuples: [contextual('doc:1#viewer@user:ann', { condition: inOffice({ floor: 0 }) })] },
      expect: without('user:ann'),
    },
  ];
  for (const { name, given, expect: expected } of cases) {
    it(name, () => {
      const node = direct(given);
      expect(node.subjects.toSorted()).toEqual(expected.toSorted());
      expect(node.more).toBeUndefined();
    });
  }

  it('end at a thousand and say that there are more', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => parseTuple(`doc:wide${count}#banned@user:u${i}`));
    await store.write({ writes: [...many(1000), ...many(1001), ...many(5000)] });
    for (const [count, more] of [[1000], [1001, true], [5000, true]] as const) {
      const node = expand('banned', {}, `doc:wide${count}`);
      expect(node).toMatchObject({ kind: 'direct', ...(more && { more }) });
      expect(node.kind === 'direct' && new Set(node.subjects).size).toBe(1000);
    }
  });
});

describe('refused', () => {
  const cases: readonly { name: string; given: Parameters<Store['expand']>[0]; expect: object }[] = [
    { name: 'an unknown type', given: { object: 'none:1', relation: 'viewer' }, expect: { code: 'unknown_type' } },
    { name: 'an unknown relation', given: { object: 'doc:1', relation: 'none' }, expect: { code: 'unknown_relation' } },
    { name: 'a malformed object', given: { object: 'doc', relation: 'viewer' }, expect: { code: 'invalid_tuple' } },
    {
      name: 'an unknown model',
      given: { object: 'doc:1', relation: 'viewer', modelId: 'none' },
      expect: { code: 'unknown_model' },
    },
    {
      name: 'a contextual tuple that does not fit',
      given: { object: 'doc:1', relation: 'viewer', contextualTuples: [parseTuple('doc:1#viewer@doc:2')] },
      expect: { code: 'invalid_contextual_tuple' },
    },
  ];
  for (const { name, given, expect: expected } of cases) {
    it(name, () => expect(() => store.expand(given)).toThrowError(expect.objectContaining(expected)));
  }
});
