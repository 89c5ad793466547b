import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTuple, type Store, type Tuple } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const NOW = 2_000_000_000_000;
const DSL = `
model
  schema 1.1
type user
type club
  relations
    define member: [user]
type team
  relations
    define member: [user, user:*, team#member, user with recent]
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

const numbered = (count: number, type: string, subject: string, more: Partial<Tuple> = {}): Tuple[] =>
  Array.from({ length: count }, (_, i) => ({ ...parseTuple(`${type}${i}#member@${subject}`), ...more }));
const teams = { objectType: 'team', relation: 'member' };

// of each: without a qualifier, with a condition, expired
describe.each([
  [0, 0, 0],
  [7, 0, 0],
  [0, 7, 3],
  [10, 4, 5],
  [5000, 0, 2],
  [300, 1500, 0],
  [10, 997, 3],
])('%i plain, %i with a condition, %i expired', (plain, conditional, expired) => {
  it('are on exactly one page each, in one order', async () => {
    await store.write({
      writes: [
        ...numbered(plain, 'team:p', 'user:u'),
        ...numbered(50, 'club:b', 'user:u'),
        ...numbered(50, 'team:o', 'user:other'),
        ...numbered(50, 'team:w', 'user:*'),
        ...numbered(conditional, 'team:c', 'user:u', { condition: { name: 'recent' } }),
        ...numbered(expired, 'team:x', 'user:u', { expiresAt: NOW - 1 }),
      ],
    });
    const page = (offset: number, limit: number) => store.objectPage({ ...teams, subject: 'user:u', offset, limit });
    const total = store.countObjects({ ...teams, subject: 'user:u' });
    expect(total).toBe(plain + conditional);
    const all = Array.from({ length: Math.ceil(total / 100) }, (_, place) => page(place * 100, 100)).flat();
    expect(all).toHaveLength(total);
    expect(new Set(all)).toEqual(
      new Set([
        ...Array.from({ length: plain }, (_, i) => `p${i}`),
        ...Array.from({ length: conditional }, (_, i) => `c${i}`),
      ]),
    );
    expect(page(total, 10)).toEqual([]);
    if (total > 2) expect(page(total - 2, 10)).toEqual(all.slice(-2));
  });
});

it('names the objects of a userset and of a wildcard, and knows none of what it has not met', async () => {
  await store.write({
    writes: [parseTuple('team:a#member@team:b#member'), parseTuple('team:c#member@user:*')],
  });
  const page = (subject: string) => store.objectPage({ ...teams, subject, offset: 0, limit: 10 });
  expect(page('team:b#member')).toEqual(['a']);
  expect(page('user:*')).toEqual(['c']);
  expect(page('user:unknown')).toEqual([]);
  expect(() => store.objectPage({ ...teams, subject: 'user:u', offset: 0, limit: 0 })).toThrow(/limit/);
  expect(() => store.objectPage({ ...teams, subject: 'user:u', offset: 0, limit: 10_001 })).toThrow(/limit/);
});
