import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../platform/cpu-ms.ts';
import { conditionOf } from './condition-of.ts';

const numbers = Array.from({ length: 300 }, (_, index) => index);
const long = 'a'.repeat(30_000);
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

/** Each of these ran for seconds, or for good, in the library as it is. */
const costly = [
  {
    name: 'nested all',
    expression: 'l.all(a, l.all(b, l.all(c, a + b + c >= 0)))',
    parameters: { l: 'list<int>' },
    given: { l: numbers },
  },
  {
    name: 'nested exists',
    expression: 'l.exists(a, l.exists(b, l.exists(c, a + b + c < 0)))',
    parameters: { l: 'list<int>' },
    given: { l: numbers },
  },
  {
    name: 'nested exists_one',
    expression: 'l.exists_one(a, l.exists_one(b, l.exists_one(c, a + b < c)))',
    parameters: { l: 'list<int>' },
    given: { l: numbers },
  },
  {
    name: 'nested map',
    expression: 'l.map(a, l.map(b, l.map(c, a))).size() > 1',
    parameters: { l: 'list<int>' },
    given: { l: numbers },
  },
  {
    name: 'nested filter',
    expression: 'l.filter(a, l.filter(b, l.filter(c, a < c).size() > 0).size() > 0).size() > 1',
    parameters: { l: 'list<int>' },
    given: { l: numbers },
  },
  {
    name: 'hidden behind or',
    expression: 'l.all(a, l.all(b, l.all(c, a + b + c >= 0))) || true',
    parameters: { l: 'list<int>' },
    given: { l: numbers },
  },
  {
    name: 'errors in every item',
    expression: 'l.exists(a, m["k"] == "v")',
    parameters: { l: 'list<int>', m: 'map<string>' },
    given: { l: Array(10_000).fill(1), m: {} },
  },
  {
    name: 'text that doubles',
    expression: `[s].map(a, ${'[a + a].map(a, '.repeat(30)}a${')'.repeat(30)}).size() == 9`,
    parameters: { s: 'string' },
    given: { s: long },
  },
  {
    name: 'lists that double',
    expression: `[l].map(a, ${'[a + a].map(a, '.repeat(30)}a${')'.repeat(30)}).size() == 9`,
    parameters: { l: 'list<int>' },
    given: { l: numbers },
  },
  {
    name: 'shared lists compared',
    expression: `[[1]].map(a, ${'[[a, a]].map(a, '.repeat(40)}a${')'.repeat(40)}) == [[1]].map(a, ${'[[a, a]].map(a, '.repeat(40)}a${')'.repeat(40)})`,
    parameters: { s: 'string' },
    given: { s: '' },
  },
  {
    name: 'membership in membership',
    expression: 'l.all(a, l.all(b, 5000 in l == false))',
    parameters: { l: 'list<int>' },
    given: { l: numbers },
  },
  {
    name: 'search in loops',
    expression: 'l.all(a, !s.contains("b"))',
    parameters: { l: 'list<int>', s: 'string' },
    given: { l: numbers, s: long },
  },
  {
    name: 'a large program over a long text',
    expression: 's.matches("a{1000}$")',
    parameters: { s: 'string' },
    given: { s: `${long}!` },
  },
  {
    name: 'many patterns',
    expression: 'l.all(a, !s.matches("[a-z]{1,900}b" + string(a)))',
    parameters: { l: 'list<int>', s: 'string' },
    given: { l: numbers, s: 'a' },
  },
  {
    name: 'zones in loops',
    expression: 'l.all(a, t.getHours("X" + string(a)) == 1 || true)',
    parameters: { l: 'list<int>', t: 'timestamp' },
    given: { l: numbers, t: '2023-01-01T00:00:00Z' },
  },
];

describe('work is bounded', () => {
  it.each(costly)('$name', ({ expression, parameters, given }) => {
    const condition = conditionOf(expression, parameters);
    const failed = { kind: 'failed', error: { code: 'condition_too_costly' } };
    const taken = leastCpuMs(() => expect(condition.evaluate(undefined, given)).toMatchObject(failed));
    expect(taken).toBeLessThan(1000);
  });

  it('ends catastrophic patterns with an answer', () => {
    const condition = conditionOf('s.matches("^(a+)+$") || s.matches(p)', { s: 'string', p: 'string' });
    const context = { s: `${'a'.repeat(5000)}!`, p: '^(a|aa)+$' };
    const taken = leastCpuMs(() => expect(condition.evaluate(undefined, context)).toEqual({ kind: 'false' }));
    expect(taken).toBeLessThan(1000);
  });

  it('refuses types that grow without bound, and takes grammar that goes to its bounds', () => {
    const tangled = (levels: number): string => {
      const names = Array.from({ length: levels + 1 }, (_, level) => `v${level}`);
      const open = names.map(
        (name, at) => `[].all(${name}, ${at === 0 ? '' : `${names[at - 1]} == {${name}: ${name}} && `}`,
      );
      return `${open.join('')}true${')'.repeat(levels + 1)}`;
    };
    const taken = leastCpuMs(() => {
      expect(() => conditionOf(tangled(60), {})).toThrow('too complex');
      expect(conditionOf(tangled(5), {}).evaluate(undefined, {})).toEqual({ kind: 'true' });
      expect(conditionOf(`${'-'.repeat(200)}1 == 1`, {}).evaluate(undefined, {})).toEqual({ kind: 'true' });
      for (const text of ['"'.repeat(16_000), '\\'.repeat(16_000), '.'.repeat(16_000), '1.'.repeat(8000)]) {
        expect(() => conditionOf(text, {})).toThrow('condition rule');
      }
    });
    expect(taken).toBeLessThan(1000);
  });

  it('ends hostile durations and numbers with an answer', () => {
    const taken = leastCpuMs(() => {
      for (const text of ['1'.repeat(30_000), '1s'.repeat(15_000), '.'.repeat(30_000)]) {
        const converted = conditionOf('d > duration("1s")', { d: 'duration' }).evaluate(undefined, { d: text });
        expect(converted).toMatchObject({ error: { code: 'invalid_context' } });
        const called = conditionOf('duration(s) > duration("1s")', { s: 'string' }).evaluate(undefined, { s: text });
        expect(called).toMatchObject({ error: { code: 'condition_failed' } });
      }
    });
    expect(taken).toBeLessThan(500);
  });

  it('leaves honest work alone', () => {
    const condition = conditionOf('l.all(a, l.exists(b, b == a))', { l: 'list<int>' });
    expect(condition.evaluate(undefined, { l: numbers.slice(0, 150) })).toEqual({ kind: 'true' });
    const large = conditionOf('l.exists(a, a == "user-9999")', { l: 'list<string>' });
    const names = Array.from({ length: 10_000 }, (_, index) => `user-${index}`);
    expect(large.evaluate(undefined, { l: names })).toEqual({ kind: 'true' });
  });

  it('is paid anew by every evaluation, and does not outlive a failed one', () => {
    const condition = conditionOf('l.all(a, l.all(b, a + b >= 0))', { l: 'list<int>' }, { cost: 5000 });
    expect(condition.evaluate(undefined, { l: numbers })).toMatchObject({ error: { code: 'condition_too_costly' } });
    for (let round = 0; round < 50; round++) {
      expect(condition.evaluate(undefined, { l: [1, 2, 3] })).toEqual({ kind: 'true' });
    }
  });

  it('refuses values that nest too deeply', () => {
    const condition = conditionOf('x == x', { x: 'any' });
    expect(condition.evaluate(undefined, { x: deep(30) })).toEqual({ kind: 'true' });
    expect(condition.evaluate(undefined, { x: deep(40) })).toMatchObject({ error: { code: 'invalid_context' } });
    expect(condition.evaluate(undefined, { x: deep(4000) })).toMatchObject({ error: { code: 'invalid_context' } });
  });
});
