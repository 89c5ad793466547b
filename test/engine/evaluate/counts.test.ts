import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTuple, type Store, type Tuple } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const NOW = 2_000_000_000_000;
const DSL = `
model
  schema 1.1
type user
type team
  relations
    define lead: [user]
    define member: [user, user:*, user with recent, team#member, team#lead] or lead
condition recent(age: int) {
  age < 10
}
`;

let scratch: ScratchEngine;
let store: Store;

beforeEach(async () => {
  scratch = await ScratchEngine.open({ clock: () => NOW });
  store = await scratch.engine.createStore('s');
  await store.writeModel({ dsl: DSL });
});

afterEach(() => scratch.close());

const members = (count: number, more: Partial<Tuple> = {}, name = 'u'): Tuple[] =>
  Array.from({ length: count }, (_, i) => ({ ...parseTuple(`team:a#member@user:${name}${i}`), ...more }));
const teams = (count: number, more: Partial<Tuple> = {}, name = 't'): Tuple[] =>
  Array.from({ length: count }, (_, i) => ({ ...parseTuple(`team:${name}${i}#member@user:ann`), ...more }));
const users = () => store.countSubjects({ object: 'team:a', relation: 'member', subjectType: 'user' });
const objects = () => store.countObjects({ objectType: 'team', relation: 'member', subject: 'user:ann' });
const RECENT = { condition: { name: 'recent' } };

// within the list of an object, of a relation, and past both
describe.each([0, 1, 250, 300, 4_096, 4_097, 6_000])('%i tuples', (count) => {
  it('are counted from both sides, and after each change', async () => {
    await store.write({ writes: [...members(count), ...teams(count)] });
    expect([users(), objects()]).toEqual([count, count]);
    expect([users(), objects()]).toEqual([count, count]);
    await store.write({ writes: ['team:a#member@user:ann', 'team:a#member@user:bob'].map(parseTuple) });
    expect([users(), objects()]).toEqual([count + 2, count + 1]);
    await store.write({ deletes: [parseTuple('team:a#member@user:ann')] });
    expect([users(), objects()]).toEqual([count + 1, count]);
  });
});

it('counts each kind of subject by itself, and no inherited one', async () => {
  const texts = ['team:a#member@user:ann', 'team:a#member@user:*', 'team:a#lead@user:bob', 'team:a#member@team:b#lead'];
  await store.write({
    writes: [...texts, 'team:a#member@team:b#member', 'team:a#member@team:c#member'].map(parseTuple),
  });
  const usersets = (subjectRelation: string) =>
    store.countSubjects({ object: 'team:a', relation: 'member', subjectType: 'team', subjectRelation });
  expect([users(), usersets('member'), usersets('lead')]).toEqual([1, 2, 1]);
  const named = (subject: string) => store.countObjects({ objectType: 'team', relation: 'member', subject });
  expect(['user:*', 'user:bob', 'team:b#member', 'team:b', 'user:nobody'].map(named)).toEqual([1, 0, 1, 0, 0]);
});

it.each([1, 400, 1_000])('leaves out what has expired, of %i', async (count) => {
  const past = { expiresAt: NOW };
  const later = { expiresAt: NOW + 1 };
  await store.write({ writes: [...members(count, past, 'past'), ...teams(count, past, 'past')] });
  expect([users(), objects()]).toEqual([0, 0]);
  await store.write({ deletes: [...members(count, {}, 'past').slice(3), ...teams(count, {}, 'past').slice(3)] });
  await store.write({ writes: [...members(5), ...members(2, later, 'later'), ...members(2, RECENT, 'recent')] });
  await store.write({ writes: [...teams(5), ...teams(2, later, 'later'), ...teams(2, RECENT, 'recent')] });
  expect([users(), objects()]).toEqual([9, 9]);
});

it('counts expired ones among more than a thousand with an expiry, until they are swept', async () => {
  const past = { expiresAt: NOW };
  await store.write({ writes: [...members(1_001, past), ...teams(1_001, past), ...members(1, {}, 'other')] });
  expect([users(), objects()]).toEqual([1_002, 1_001]);
  while (await scratch.engine.sweep(1_000));
  expect([users(), objects()]).toEqual([1, 0]);
});

it('refuses what the model does not have', () => {
  const request = { object: 'team:a', relation: 'member', subjectType: 'user' };
  const refused = (code: string) => expect.objectContaining({ code });
  expect(() => store.countSubjects({ ...request, relation: 'lost' })).toThrow(refused('unknown_relation'));
  expect(() => store.countSubjects({ ...request, subjectType: 'lost' })).toThrow(refused('unknown_type'));
  expect(() => store.countSubjects({ ...request, object: 'team:' })).toThrow(refused('invalid_tuple'));
  const other = { objectType: 'team', relation: 'member', subject: 'user:ann' };
  expect(() => store.countObjects({ ...other, objectType: 'lost' })).toThrow(refused('unknown_type'));
  expect(() => store.countObjects({ ...other, subject: 'user' })).toThrow(refused('invalid_tuple'));
});
