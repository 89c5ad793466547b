import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SecondChanceCache } from '../../../engine/memory/second-chance-cache.ts';

test('what is asked for stays, and what is not goes', () => {
  const dropped: number[] = [];
  const cache = new SecondChanceCache<string, number>(4, { dropped: (value) => dropped.push(value) });
  for (const [value, key] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
    cache.set(key, value);
    expect(cache.get('a')).toBe(0);
  }
  expect(cache.get('f')).toBe(5);
  expect(dropped).not.toContain(0);
  expect(dropped.length + cache.size).toBe(6);
  expect(cache.size).toBeLessThanOrEqual(4);
});

test('it holds no more than its weight, whatever comes', () => {
  const cache = new SecondChanceCache<number, number>(100);
  const weights = new Map<number, number>();
  for (let key = 0; key < 1_000; key++) {
    weights.set(key, 1 + (key % 7));
    cache.set(key, key, weights.get(key));
    const kept = [...weights].filter(([each]) => has(cache, each));
    expect(kept.reduce((sum, [, weight]) => sum + weight, 0)).toBeLessThanOrEqual(100);
    for (const each of weights.keys()) if (!kept.some(([one]) => one === each)) weights.delete(each);
  }
});

test('one that is heavier than all others together is kept alone', () => {
  const cache = new SecondChanceCache<string, number>(10);
  cache.set('heavy', 1, 50);
  expect(cache.get('heavy')).toBe(1);
  cache.set('other', 2, 1);
  cache.set('third', 3, 1);
  expect(cache.get('other')).toBe(2);
});

test('what is replaced or deleted does not weigh any more', () => {
  const dropped: string[] = [];
  const cache = new SecondChanceCache<string, string>(10, { dropped: (value) => dropped.push(value) });
  for (let round = 0; round < 20; round++) cache.set('a', `a${round}`, 5);
  cache.set('b', 'b', 0);
  expect([cache.get('a'), cache.get('b')]).toEqual(['a19', 'b']);
  expect(dropped).toEqual([]);
  cache.delete('a');
  expect([cache.get('a'), dropped]).toEqual([undefined, ['a19']]);
  cache.clear();
  expect([cache.size, dropped]).toEqual([0, ['a19', 'b']]);
});

test('it lets go what was not used, as a list says, whatever is set, asked for and deleted', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          op: fc.constantFrom('set', 'get', 'delete'),
          key: fc.nat(9),
          weight: fc.integer({ min: 0, max: 6 }),
        }),
        {
          maxLength: 200,
        },
      ),
      (steps) => {
        const cache = new SecondChanceCache<number, number>(12);
        let expected: { readonly key: number; weight: number; isUsed: boolean }[] = [];
        for (const { op, key, weight } of steps) {
          const before = expected.find((each) => each.key === key);
          const others = expected.filter((each) => each !== before);
          if (op === 'delete') {
            cache.delete(key);
            expected = others;
          } else if (op === 'get') {
            expect(cache.get(key)).toBe(before?.weight);
            if (before !== undefined) before.isUsed = true;
          } else {
            cache.set(key, weight, weight);
            if (before === undefined) expected.push({ key, weight, isUsed: false });
            else Object.assign(before, { weight, isUsed: true });
            while (expected.length > 1 && expected.reduce((sum, each) => sum + each.weight, 0) > 12) {
              const oldest = expected.shift() ?? expect.fail('more than one is left');
              if (oldest.isUsed || oldest.key === key) expected.push({ ...oldest, isUsed: false });
            }
          }
          expect(cache.size).toBe(expected.length);
        }
        for (let key = 0; key < 10; key++) {
          expect(cache.peek(key)).toBe(expected.find((each) => each.key === key)?.weight);
        }
      },
    ),
  );
});

test('what says itself that it was used stays, once', () => {
  const dropped: string[] = [];
  const used = new Set<string>();
  const cache = new SecondChanceCache<string, string>(2, {
    dropped: (value) => dropped.push(value),
    takeUse: (value) => used.delete(value),
  });
  cache.set('a', 'a');
  cache.set('b', 'b');
  used.add('a');
  cache.set('c', 'c');
  expect(dropped).toEqual(['b']);
  cache.set('d', 'd');
  // it was put behind the others
  expect(dropped).toEqual(['b', 'c']);
  cache.set('e', 'e');
  expect(dropped).toEqual(['b', 'c', 'a']);
  expect([...used]).toEqual([]);
});

/** Looked at without being used. */
function has(cache: SecondChanceCache<number, number>, key: number): boolean {
  return cache.peek(key) !== undefined;
}
