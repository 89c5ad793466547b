import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTuple, type Store } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const DSL = `
model
  schema 1.1
type user
type team
  relations
    define member: [user, team#member]
type doc
  relations
    define viewer: [user, team#member]
`;

/** A subject whose memberships go on beyond the depth of an evaluation. */
describe('a subject deep in nested teams', () => {
  let scratch: ScratchEngine;
  let store: Store;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
    store = await scratch.engine.createStore('main');
    await store.writeModel({ dsl: DSL });
    const nested = Array.from({ length: 40 }, (_, i) => `team:${i}#member@team:${i + 1}#member`);
    const teams = ['team:40', 'team:20', 'team:10', 'team:other'];
    const docs = teams.map((team) => `doc:${team.slice(5)}#viewer@${team}#member`);
    await store.write({ writes: [...nested, ...docs, 'team:40#member@user:ann'].map(parseTuple) });
  });
  afterAll(() => scratch.close());

  const cases = [
    { name: 'is allowed what its nearest team is', doc: 'doc:40', expect: { outcome: 'allowed' } },
    { name: 'is allowed what a team within the depth is', doc: 'doc:20', expect: { outcome: 'allowed' } },
    { name: 'is denied what no team of its own is allowed', doc: 'doc:other', expect: { outcome: 'denied' } },
  ];
  for (const { name, doc, expect: expected } of cases) {
    it(name, () => {
      expect(store.check({ object: doc, relation: 'viewer', subject: 'user:ann' })).toEqual(expected);
      expect(store.explain({ object: doc, relation: 'viewer', subject: 'user:ann' }).outcome).toBe(expected.outcome);
    });
  }

  it('has no answer where only a team beyond the depth could allow', () => {
    const question = { object: 'doc:10', relation: 'viewer', subject: 'user:ann' };
    const tooDeep = expect.objectContaining({ code: 'too_deep' });
    expect(() => store.check(question)).toThrowError(tooDeep);
    expect(() => store.explain(question)).toThrowError(tooDeep);
  });
});
