import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decision, parseTuple, type Store, type Tuple } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

/** Longer than any list of neighbours that is kept. */
const COUNT = 5_000;

const DSL = `model
  schema 1.1
type user
type team
  relations
    define banned: [user]
    define member: [user, team#member]
    define active: member but not banned
type doc
  relations
    define viewer: [team#member, team#member with low]
    define editor: [team#active]
    define reader: [user, user:*, team#member]
condition low(x: int) {
  x < 5
}
`;

describe('an object with more usersets than are kept in memory', () => {
  let scratch: ScratchEngine;
  let store: Store;

  beforeAll(async () => {
    scratch = await ScratchEngine.open();
    store = await scratch.engine.createStore('many');
    await store.writeModel({ dsl: DSL });
    const teams = Array.from({ length: COUNT }, (_, place) => place);
    const names = [
      ...teams.map((place) => `doc:1#viewer@team:${place}#member`),
      ...teams.map((place) => `doc:1#editor@team:${place}#active`),
      ...teams.map((place) => `doc:2#reader@team:${place}#member`),
      'doc:1#reader@user:*',
      'doc:2#reader@user:*',
      `team:${COUNT - 1}#member@user:last`,
      `team:${COUNT - 1}#member@user:banned`,
      `team:${COUNT - 1}#banned@user:banned`,
      `team:${COUNT - 1}#member@team:inner#member`,
      'team:inner#member@user:nested',
      'team:other#member@user:other',
    ];
    const conditional: Tuple = {
      ...parseTuple('doc:1#viewer@team:conditional#member'),
      condition: { name: 'low' },
    };
    await store.write({
      writes: [...names.map(parseTuple), conditional, parseTuple('team:conditional#member@user:low')],
    });
  });
  afterAll(() => scratch?.close());

  const cases: readonly [text: string, outcome: Decision['outcome'], x?: number][] = [
    [`doc:1#viewer@team:${COUNT - 1}#member`, 'allowed'],
    ['doc:1#viewer@team:inner#member', 'allowed'],
    ['doc:1#viewer@team:other#member', 'denied'],
    ['doc:1#viewer@team:none#member', 'denied'],
    ['doc:1#viewer@user:last', 'allowed'],
    ['doc:1#viewer@user:nested', 'allowed'],
    ['doc:1#viewer@user:other', 'denied'],
    ['doc:1#viewer@user:low', 'conditional'],
    ['doc:1#viewer@user:low', 'allowed', 1],
    ['doc:1#viewer@user:low', 'denied', 9],
    ['doc:1#viewer@team:conditional#member', 'allowed', 1],
    ['doc:1#viewer@team:conditional#member', 'denied', 9],
    [`doc:1#editor@team:${COUNT - 1}#active`, 'allowed'],
    ['doc:1#editor@team:other#active', 'denied'],
    ['doc:1#editor@user:last', 'allowed'],
    ['doc:1#editor@user:banned', 'denied'],
    ['doc:1#editor@user:other', 'denied'],
    ['doc:1#reader@user:other', 'allowed'],
    ['doc:2#reader@user:other', 'allowed'],
    ['doc:2#reader@team:other#member', 'denied'],
  ];
  it.each(cases)('%s is %s, where x is %s', (text, outcome, x) => {
    const context = x === undefined ? {} : { x };
    expect(store.check({ ...parseTuple(text), context }).outcome).toBe(outcome);
  });

  it('hides those that a contextual tuple stands for', () => {
    const hidden = { ...parseTuple(`doc:1#viewer@team:${COUNT - 1}#member`), expiresAt: 1 };
    const ask = (subject: string) =>
      store.check({ object: 'doc:1', relation: 'viewer', subject, contextualTuples: [hidden] }).outcome;
    expect([ask('user:last'), ask('user:nested'), ask(`team:${COUNT - 1}#member`)]).toEqual([
      'denied',
      'denied',
      'denied',
    ]);
    expect(ask('team:0#member')).toBe('allowed');
  });
});
