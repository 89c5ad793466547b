import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { converterFor, Refusal } from '../../../engine/condition/convert.ts';
import { type Context, checkStoredContext } from '../../../engine/condition/index.ts';
import { Duration } from '../../../engine/condition/values/duration.ts';
import { IpAddress } from '../../../engine/condition/values/ip-address.ts';
import { Uint } from '../../../engine/condition/values/uint.ts';
import { conditionOf, definitionOf, typeOf } from './condition-of.ts';

const accepted = [
  { type: 'bool', given: false, expect: false },
  { type: 'string', given: '', expect: '' },
  { type: 'int', given: -1, expect: -1n },
  { type: 'int', given: '-9223372036854775808', expect: -9223372036854775808n },
  { type: 'int', given: '+7', expect: 7n },
  { type: 'int', given: 1e15, expect: 1_000_000_000_000_000n },
  { type: 'uint', given: 3, expect: new Uint(3n) },
  { type: 'double', given: 3, expect: 3 },
  { type: 'double', given: '-1.5e3', expect: -1500 },
  { type: 'duration', given: '90s', expect: new Duration(90_000_000_000n) },
  { type: 'timestamp', given: '1970-01-01T00:00:01Z', expect: new Date(1000) },
  { type: 'ipaddress', given: '0.0.0.1', expect: new IpAddress(4, 1n) },
  { type: 'list<int>', given: [1, '2'], expect: [1n, 2n] },
  { type: 'list<list<bool>>', given: [[true], []], expect: [[true], []] },
  { type: 'map<int>', given: { a: 1 }, expect: new Map([['a', 1n]]) },
  {
    type: 'any',
    given: { a: [1, null, 'x', { b: true }] },
    expect: new Map([['a', [1, null, 'x', new Map([['b', true]])]]]),
  },
];

const refused = [
  ...[1, 'true', null, undefined].map((given) => ({ type: 'bool', given, path: '' })),
  ...[1, null, undefined, ['a']].map((given) => ({ type: 'string', given, path: '' })),
  ...[1.5, '1.0', '1e3', '', ' 1', '0x10', '9223372036854775808', 9_007_199_254_740_992, true, null, 1n].map(
    (given) => ({ type: 'int', given, path: '' }),
  ),
  ...[-1, '-1', '18446744073709551616', 0.5].map((given) => ({ type: 'uint', given, path: '' })),
  ...['', 'NaN', 'Infinity', '0x1', '1e999', Number.NaN, Number.POSITIVE_INFINITY, true].map((given) => ({
    type: 'double',
    given,
    path: '',
  })),
  ...[5, '5', '5 s', null].map((given) => ({ type: 'duration', given, path: '' })),
  ...[0, '2023-01-01', null].map((given) => ({ type: 'timestamp', given, path: '' })),
  ...['localhost', '1.2.3', 1, null].map((given) => ({ type: 'ipaddress', given, path: '' })),
  { type: 'list<int>', given: { 0: 1 }, path: '' },
  { type: 'list<int>', given: [1, 'x'], path: '[1]' },
  { type: 'map<string>', given: ['a'], path: '' },
  { type: 'map<list<int>>', given: { a: [1, 2, 0.5] }, path: '.a[2]' },
  { type: 'map<int>', given: new Date(), path: '' },
  { type: 'any', given: { a: [() => 1] }, path: '.a[0]' },
  { type: 'any', given: undefined, path: '' },
  { type: 'any', given: Number.NaN, path: '' },
];

describe('context values', () => {
  it.each(accepted)('$type takes $given', ({ type, given, expect: wanted }) => {
    const value = converterFor(typeOf(type))(given);
    expect(value).toEqual(wanted);
  });

  it.each(refused)('$type refuses $given', ({ type, given, path }) => {
    const value = converterFor(typeOf(type))(given);
    expect(value).toBeInstanceOf(Refusal);
    expect(value).toMatchObject({ path, rule: expect.stringMatching(/^must /) });
  });

  it('come back unchanged from integers, as numbers and as text', () => {
    const int = converterFor({ kind: 'int' });
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        expect(int(number)).toBe(BigInt(number));
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (number) => {
        expect(int(String(number))).toBe(number);
      }),
    );
  });

  it('come back unchanged from any JSON', () => {
    const any = converterFor({ kind: 'any' });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(toJson(any(value))).toEqual(value);
      }),
    );
  });

  it('are equal to themselves in CEL, whatever they are', () => {
    const condition = conditionOf('x == y', { x: 'any', y: 'any' });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(condition.evaluate({ x: value }, { y: structuredClone(value) })).toEqual({ kind: 'true' });
      }),
    );
  });
});

describe('a context stored with a tuple', () => {
  const definition = definitionOf('ip.in_cidr(range) && level > 3', { ip: 'ipaddress', range: 'string', level: 'int' });
  const contexts: { name: string; given: Context; expect: object | undefined }[] = [
    { name: 'part of the parameters', given: { range: '10.0.0.0/8' }, expect: undefined },
    { name: 'none', given: {}, expect: undefined },
    { name: 'an unknown name', given: { rang: '10.0.0.0/8' }, expect: { path: 'rang', rule: 'is not a parameter' } },
    { name: 'a wrong type', given: { level: 'high' }, expect: { path: 'level', rule: 'must be a 64-bit integer' } },
    {
      name: 'an inherited name',
      given: { constructor: 1 },
      expect: { path: 'constructor', rule: 'is not a parameter' },
    },
  ];
  it.each(contexts)('$name', ({ given, expect: wanted }) => {
    const error = checkStoredContext(definition, given);
    if (wanted === undefined) expect(error).toBeUndefined();
    else expect(error).toMatchObject({ code: 'invalid_context', details: { condition: 'rule', ...wanted } });
  });
});

function toJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJson);
  if (!(value instanceof Map)) return value;
  const object: Record<string, unknown> = {};
  for (const [key, item] of value) {
    Object.defineProperty(object, key, { value: toJson(item), enumerable: true, writable: true, configurable: true });
  }
  return object;
}
