import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptClosures } from '../../../engine/evaluate/graph/kept-closures.ts';
import type { Plan, RelationPlan } from '../../../engine/evaluate/plan/plan.ts';
import { PlanParts } from '../../../engine/evaluate/plan/plan-parts.ts';
import { PlanTypes } from '../../../engine/evaluate/plan/plan-types.ts';
import type { Store } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const MODEL = {
  dsl: `model
  schema 1.1
type user
type group
  relations
    define member: [user, user:*, group#member, user with soon]
type doc
  relations
    define viewer: [user, group#member]
    define blocked: [user]
    define can_view: viewer but not blocked

condition soon(now: timestamp) {
  now < timestamp("2030-01-01T00:00:00Z")
}
`,
};
const anne = { object: 'group:inner', relation: 'member', subject: 'user:anne' };
const herGroup = { object: 'group:outer', relation: 'member', subject: 'group:inner#member' };
const viewers = { object: 'doc:plan', relation: 'viewer', subject: 'group:outer#member' };
const CHAIN = [anne, herGroup, viewers];

describe('what is known of a subject’s groups from another question', () => {
  let scratch: ScratchEngine;
  let store: Store;
  const views = (subject: string, more: object = {}) =>
    store.check({ object: 'doc:plan', relation: 'can_view', subject, ...more }).outcome;
  beforeEach(async () => {
    scratch = await ScratchEngine.open();
    store = await scratch.engine.createStore('s');
    await store.writeModel(MODEL);
    await store.write({ writes: CHAIN });
    expect([views('user:anne'), views('user:anne')]).toEqual(['allowed', 'allowed']);
    expect([views('user:bob'), views('user:bob')]).toEqual(['denied', 'denied']);
  });
  afterEach(() => scratch.close());

  const taken = [
    { name: 'her own membership', tuple: anne },
    { name: 'that of her group', tuple: herGroup },
    { name: 'what her groups see', tuple: viewers },
  ];
  it.each(taken)('ends with the commit that takes away $name', async ({ tuple }) => {
    await store.write({ deletes: [tuple] });
    expect(views('user:anne')).toBe('denied');
    await store.write({ writes: [tuple] });
    expect(views('user:anne')).toBe('allowed');
  });

  it('begins with the commit that gives a group, a group above it, or a wildcard', async () => {
    await store.write({ writes: [{ object: 'group:new', relation: 'member', subject: 'user:bob' }] });
    expect(views('user:bob')).toBe('denied');
    await store.write({ writes: [{ object: 'group:outer', relation: 'member', subject: 'group:new#member' }] });
    expect(views('user:bob')).toBe('allowed');
    expect(views('user:carl')).toBe('denied');
    await store.write({ writes: [{ object: 'group:inner', relation: 'member', subject: 'user:*' }] });
    expect(views('user:carl')).toBe('allowed');
    await store.write({ deletes: [{ object: 'group:inner', relation: 'member', subject: 'user:*' }] });
    expect(views('user:carl')).toBe('denied');
  });

  it('outlives a commit of what is no membership', async () => {
    await store.write({ writes: [{ object: 'doc:plan', relation: 'blocked', subject: 'user:anne' }] });
    expect(views('user:anne')).toBe('denied');
    await store.write({ deletes: [{ object: 'doc:plan', relation: 'blocked', subject: 'user:anne' }] });
    expect(views('user:anne')).toBe('allowed');
  });

  it('is not taken from a question of another time, where a membership expires', async () => {
    const expiresAt = 1_000_000;
    await store.write({ writes: [{ object: 'group:inner', relation: 'member', subject: 'user:dora', expiresAt }] });
    expect(views('user:dora', { now: expiresAt - 1 })).toBe('allowed');
    expect(views('user:dora', { now: expiresAt })).toBe('denied');
    expect(views('user:dora', { now: expiresAt - 1 })).toBe('allowed');
  });

  it('is not taken from a question with another context', async () => {
    const condition = { name: 'soon' };
    await store.write({ writes: [{ object: 'group:inner', relation: 'member', subject: 'user:emil', condition }] });
    expect(views('user:emil', { context: { now: '2029-01-01T00:00:00Z' } })).toBe('allowed');
    expect(views('user:emil', { context: { now: '2031-01-01T00:00:00Z' } })).toBe('denied');
    expect(views('user:emil')).toBe('conditional');
  });

  it('is not taken from a question that brings memberships along, nor given to one', () => {
    const contextualTuples = [{ object: 'group:inner', relation: 'member', subject: 'user:bob' }];
    expect(views('user:bob', { contextualTuples })).toBe('allowed');
    expect(views('user:bob')).toBe('denied');
    expect(views('user:nobody-knows', { contextualTuples })).toBe('denied');
    expect(views('user:bob', { contextualTuples })).toBe('allowed');
  });

  it('is of one model: another one may give a group another meaning', async () => {
    const [first] = store.modelIds();
    await store.writeModel({ dsl: MODEL.dsl.replace('[user, user:*, group#member, user with soon]', '[user]') });
    expect(views('user:anne')).toBe('denied');
    expect(views('user:anne', { modelId: first })).toBe('allowed');
    expect(views('user:anne')).toBe('denied');
  });

  it('is of one store', async () => {
    const other = await scratch.engine.createStore('other');
    await other.writeModel(MODEL);
    await other.write({ writes: [herGroup, viewers] });
    expect(other.check({ object: 'doc:plan', relation: 'can_view', subject: 'user:anne' }).outcome).toBe('denied');
    await other.write({ writes: CHAIN });
    expect(other.check({ object: 'doc:plan', relation: 'can_view', subject: 'user:anne' }).outcome).toBe('allowed');
    expect(views('user:bob')).toBe('denied');
  });
});

describe('what is kept of subjects’ groups', () => {
  const planOf = (modelId: string): Plan => ({
    modelId,
    types: PlanTypes.of([], new PlanParts()),
    byKind: [],
    directEdges: new Map(),
    conditions: new Map(),
    ascents: [],
  });
  /** A subject, of kind 1, in one userset. */
  const members = [7, 2, 1];
  const stores = Array.from({ length: 2_000 }, (_, place) => ({ store: place + 1, plan: planOf(`m${place}`) }));

  it('is known for the plans of very many stores at once', () => {
    const kept = new KeptClosures(16 * 2 ** 20);
    for (const { store, plan } of stores) kept.keep(store, plan, 5, 1, members);
    for (const { store, plan } of stores) expect(kept.recall(store, plan, 5, 1)).not.toBe(0);
  });

  describe('after a commit of a membership', () => {
    const [USER, GROUP_MEMBER] = [1, 2];
    const direct = {
      objectKind: GROUP_MEMBER,
      restriction: { plain: true, conditions: new Set<string>() },
      reaches: [2],
    };
    const plan: Plan = {
      ...planOf('m'),
      byKind: [undefined, undefined, {} as RelationPlan],
      ascents: [undefined, [direct], [direct]],
    };
    const known = (kept: KeptClosures) => [5, 6].map((subject) => kept.recall(1, plan, subject, USER) !== 0);
    const cases = [
      { of: 'an entity ends its own', subject: 5, kind: USER, left: [false, true] },
      { of: 'another entity ends none of these', subject: 7, kind: USER, left: [true, true] },
      { of: 'a userset ends all', subject: 5, kind: GROUP_MEMBER, left: [false, false] },
      { of: 'a wildcard ends all', subject: 0, kind: USER, left: [false, false] },
    ];
    it.each(cases)('$of', ({ subject, kind, left }) => {
      const kept = new KeptClosures(2 ** 20);
      for (const each of [5, 6]) kept.keep(1, plan, each, USER, members);
      kept.touch(1, (GROUP_MEMBER << 16) | kind, subject);
      expect(known(kept)).toEqual(left);
      for (const each of [5, 6]) kept.keep(1, plan, each, USER, members);
      expect(known(kept)).toEqual([true, true]);
    });
  });

  it('goes with the store of which nothing is kept any more, and that one alone', () => {
    const kept = new KeptClosures(2 ** 20);
    const [one, other] = stores as [(typeof stores)[0], (typeof stores)[0]];
    for (const { store, plan } of [one, other]) kept.keep(store, plan, 5, 1, members);
    kept.drop(one.store);
    expect(kept.recall(one.store, one.plan, 5, 1)).toBe(0);
    expect(kept.recall(other.store, other.plan, 5, 1)).not.toBe(0);
  });

  it('is bounded for one store, however many of its models are asked', () => {
    const kept = new KeptClosures(2 ** 20);
    const plans = Array.from({ length: 65 }, (_, place) => planOf(`m${place}`));
    for (const plan of plans) kept.keep(1, plan, 5, 1, members);
    expect(kept.recall(1, plans[0] as Plan, 5, 1)).toBe(0);
    expect(kept.recall(1, plans[64] as Plan, 5, 1)).not.toBe(0);
  });
});
