import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTuple, type Store, type Tuple } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const NOW = 2_000_000_000_000;
const DSL = `
model
  schema 1.1
type user
type bot
type team
  relations
    define member: [user, bot, user with recent]
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

const numbered = (count: number, type: string, more: Partial<Tuple> = {}): Tuple[] =>
  Array.from({ length: count }, (_, i) => ({ ...parseTuple(`team:a#member@${type}${i}`), ...more }));
const team = { object: 'team:a', relation: 'member', subjectType: 'user' };
const page = (offset: number, limit: number) => store.subjectPage({ ...team, offset, limit });

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
        ...numbered(plain, 'user:p'),
        ...numbered(50, 'bot:b'),
        ...numbered(conditional, 'user:c', { condition: { name: 'recent' } }),
        ...numbered(expired, 'user:x', { expiresAt: NOW - 1 }),
      ],
    });
    const total = store.countSubjects(team);
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

it('refuses a limit out of bounds, and knows no subjects of what it has not met', () => {
  expect(() => page(0, 0)).toThrow(/limit/);
  expect(() => page(0, 10_001)).toThrow(/limit/);
  expect(store.subjectPage({ ...team, object: 'team:unknown', offset: 0, limit: 10 })).toEqual([]);
});
