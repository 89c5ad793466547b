import { describe, expect, it } from 'vitest';
import type { Context } from '../../../engine/condition/index.ts';
import { conditionOf } from './condition-of.ts';

interface Case {
  readonly expression: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly stored?: Context;
  readonly given?: Context;
  readonly expect: boolean;
}

const anyMap = { subject: 'attributes' };
const cases: readonly Case[] = [
  { expression: 'x < 100', parameters: { x: 'int' }, given: { x: 99 }, expect: true },
  { expression: 'x < 100', parameters: { x: 'int' }, given: { x: 100 }, expect: false },
  { expression: 'x < 100u', parameters: { x: 'uint' }, given: { x: '18446744073709551615' }, expect: false },
  { expression: 'x == 9007199254740993', parameters: { x: 'int' }, given: { x: '9007199254740993' }, expect: true },
  { expression: 'x > 1.5', parameters: { x: 'double' }, given: { x: '1.6' }, expect: true },
  { expression: 'b', parameters: { b: 'bool' }, given: { b: true }, expect: true },
  {
    expression: 'b ? s == "a" : s == "b"',
    parameters: { b: 'bool', s: 'string' },
    given: { b: false, s: 'b' },
    expect: true,
  },
  {
    expression: 's.startsWith("a") && s.endsWith("c") && s.contains("b")',
    parameters: { s: 'string' },
    given: { s: 'abc' },
    expect: true,
  },
  {
    expression: 's.lowerAscii() == "aÄ" && s.upperAscii() == "AÄ"',
    parameters: { s: 'string' },
    given: { s: 'aÄ' },
    expect: true,
  },
  {
    expression: 's.split("@")[1] == "example.com"',
    parameters: { s: 'string' },
    given: { s: 'a@example.com' },
    expect: true,
  },
  {
    expression: 's.matches("^[a-z]+@example\\\\.com$")',
    parameters: { s: 'string' },
    given: { s: 'a@example.com' },
    expect: true,
  },
  { expression: 'matches(s, "^b")', parameters: { s: 'string' }, given: { s: 'ab' }, expect: false },
  { expression: 's.matches(p)', parameters: { s: 'string', p: 'string' }, given: { s: 'abc', p: 'b+' }, expect: true },
  { expression: 'size(s) == 2', parameters: { s: 'string' }, given: { s: '😀b' }, expect: true },
  {
    expression: 's in l',
    parameters: { s: 'string', l: 'list<string>' },
    given: { s: 'b', l: ['a', 'b'] },
    expect: true,
  },
  { expression: 'l.all(x, x > 0)', parameters: { l: 'list<int>' }, given: { l: [1, 2, -1] }, expect: false },
  { expression: 'l.exists(x, x > 1)', parameters: { l: 'list<int>' }, given: { l: [1, 2] }, expect: true },
  { expression: 'l.exists_one(x, x > 1)', parameters: { l: 'list<int>' }, given: { l: [3, 2] }, expect: false },
  {
    expression: 'l.filter(x, x > 1).map(x, x * 2) == [4, 6]',
    parameters: { l: 'list<int>' },
    given: { l: [1, 2, 3] },
    expect: true,
  },
  { expression: 'm.all(k, m[k] != "")', parameters: { m: 'map<string>' }, given: { m: { a: 'x' } }, expect: true },
  {
    expression: '"k" in m && has(m.k) && m.k == "v"',
    parameters: { m: 'map<string>' },
    given: { m: { k: 'v' } },
    expect: true,
  },
  {
    expression: '"toString" in m || has(m.constructor)',
    parameters: { m: 'map<string>' },
    given: { m: { k: 'v' } },
    expect: false,
  },
  {
    expression: 'm["__proto__"] == "v"',
    parameters: { m: 'map<string>' },
    given: { m: JSON.parse('{"__proto__":"v"}') },
    expect: true,
  },
  { expression: 'm == {"a": 1}', parameters: { m: 'map<int>' }, given: { m: { a: 1 } }, expect: true },
  { expression: 'm == {"a": 1}', parameters: { m: 'map<int>' }, given: { m: { a: 1, b: 1 } }, expect: false },
  {
    expression: 'subject.team == "red" && subject.level > 3',
    parameters: anyMap,
    given: { subject: { team: 'red', level: 4 } },
    expect: true,
  },
  { expression: 'subject.level == 4', parameters: anyMap, given: { subject: { level: 4 } }, expect: true },
  { expression: 'subject.level == "4"', parameters: anyMap, given: { subject: { level: 4 } }, expect: false },
  {
    expression: 'subject.roles.exists(r, r == "admin")',
    parameters: anyMap,
    given: { subject: { roles: ['admin'] } },
    expect: true,
  },
  {
    expression: '"red" in subject.teams',
    parameters: anyMap,
    given: { subject: { teams: ['blue', 'red'] } },
    expect: true,
  },
  {
    expression: 'subject.a == subject.b',
    parameters: anyMap,
    given: { subject: { a: [1, { x: null }], b: [1, { x: null }] } },
    expect: true,
  },
  {
    expression: 'subject.a == subject.b',
    parameters: anyMap,
    given: { subject: { a: [1, { x: null }], b: [1, { x: false }] } },
    expect: false,
  },
  { expression: 'x == null', parameters: { x: 'any' }, given: { x: null }, expect: true },
  { expression: 'x == 1 || x == "one"', parameters: { x: 'any' }, given: { x: 'one' }, expect: true },
  {
    expression: 't < timestamp("2023-10-11T10:00:00.000Z")',
    parameters: { t: 'timestamp' },
    given: { t: '2023-10-11T11:59:59+02:00' },
    expect: true,
  },
  {
    expression: 'now < start + length',
    parameters: { now: 'timestamp', start: 'timestamp', length: 'duration' },
    stored: { start: '2023-01-01T00:00:00Z', length: '1h' },
    given: { now: '2023-01-01T00:59:59Z' },
    expect: true,
  },
  {
    expression: 'a - b == c',
    parameters: { a: 'duration', b: 'duration', c: 'duration' },
    given: { a: '1s', b: '2.5s', c: '-1.5s' },
    expect: true,
  },
  {
    expression: 'int(t) == 60 && timestamp(60) == t',
    parameters: { t: 'timestamp' },
    given: { t: '1970-01-01T00:01:00Z' },
    expect: true,
  },
  {
    expression: 't.getHours("Europe/Berlin") == 2 && t.getDayOfYear() == 181',
    parameters: { t: 'timestamp' },
    given: { t: '2023-07-01T00:30:00Z' },
    expect: true,
  },
  {
    expression: 't.getHours("-02:30") == 22 && t.getDate("-02:30") == 30',
    parameters: { t: 'timestamp' },
    given: { t: '2023-07-01T00:30:00Z' },
    expect: true,
  },
  { expression: 'd.getMinutes() == 90', parameters: { d: 'duration' }, given: { d: '1h30m' }, expect: true },
  {
    expression: 'ip.in_cidr(range)',
    parameters: { ip: 'ipaddress', range: 'string' },
    stored: { range: '10.0.0.0/8' },
    given: { ip: '10.1.2.3' },
    expect: true,
  },
  {
    expression: 'ip.in_cidr("10.0.0.0/8")',
    parameters: { ip: 'ipaddress' },
    given: { ip: '::ffff:10.1.2.3' },
    expect: true,
  },
  {
    expression: 'ip == ipaddress("2001:db8::1")',
    parameters: { ip: 'ipaddress' },
    given: { ip: '2001:0db8:0:0::0:1' },
    expect: true,
  },
  {
    expression: 'ips.exists(i, i.in_cidr("::1/128"))',
    parameters: { ips: 'list<ipaddress>' },
    given: { ips: ['127.0.0.1', '::1'] },
    expect: true,
  },
  { expression: 'x < 100', parameters: { x: 'int' }, stored: { x: 200 }, given: { x: 1 }, expect: false },
];

describe('a condition is evaluated', () => {
  it.each(cases)('$expression with $given', ({ expression, parameters, stored, given, expect: wanted }) => {
    expect(conditionOf(expression, parameters).evaluate(stored, given)).toEqual({ kind: wanted ? 'true' : 'false' });
  });
});

describe('parameters that neither context has are named', () => {
  const both = { x: 'int', y: 'int' };
  const missing = [
    { name: 'no context', stored: undefined, given: undefined, expect: ['x', 'y'] },
    { name: 'one of two, even where || could do without', stored: undefined, given: { x: 1 }, expect: ['y'] },
    { name: 'stored only', stored: { y: 1 }, given: {}, expect: ['x'] },
    {
      name: 'inherited names do not count',
      stored: Object.create({ x: 1, y: 1 }),
      given: undefined,
      expect: ['x', 'y'],
    },
  ];
  it.each(missing)('$name', ({ stored, given, expect: names }) => {
    expect(conditionOf('x < 100 || y < 50', both).evaluate(stored, given)).toEqual({ kind: 'missing', names });
  });

  it('but a value of the wrong type outranks them', () => {
    const result = conditionOf('x < 100 || y < 50', both).evaluate(undefined, { y: 'many' });
    expect(result).toMatchObject({ kind: 'failed', error: { code: 'invalid_context' } });
  });
});

describe('evaluation that fails says so and does not throw', () => {
  const failures = [
    {
      name: 'division by zero',
      expression: '1 / x == 1',
      parameters: { x: 'int' },
      given: { x: 0 },
      reason: 'division by zero',
    },
    {
      name: 'overflow',
      expression: 'x + x > 0',
      parameters: { x: 'int' },
      given: { x: '9223372036854775807' },
      reason: 'overflow',
    },
    {
      name: 'absent key',
      expression: 'm.k == "v"',
      parameters: { m: 'map<string>' },
      given: { m: {} },
      reason: 'No such key: k',
    },
    {
      name: 'index',
      expression: 'l[3] == 1',
      parameters: { l: 'list<int>' },
      given: { l: [] },
      reason: 'out of bounds',
    },
    {
      name: 'range',
      expression: 'ip.in_cidr(r)',
      parameters: { ip: 'ipaddress', r: 'string' },
      given: { ip: '::1', r: 'x' },
      reason: 'in_cidr() needs',
    },
    {
      name: 'zone',
      expression: 't.getHours(z) == 1',
      parameters: { t: 'timestamp', z: 'string' },
      given: { t: '2023-01-01T00:00:00Z', z: 'X/Y' },
      reason: 'time zone',
    },
    { name: 'type', expression: 'x < 1', parameters: { x: 'any' }, given: { x: 'a' }, reason: 'no such overload' },
    {
      name: 'pattern',
      expression: 's.matches(p)',
      parameters: { s: 'string', p: 'string' },
      given: { s: '', p: '(' },
      reason: 'missing closing',
    },
    {
      name: 'back reference',
      expression: 's.matches(p)',
      parameters: { s: 'string', p: 'string' },
      given: { s: '', p: '(a)\\1' },
      reason: 'invalid escape',
    },
    {
      name: 'int of text',
      expression: 'int(s) == 1',
      parameters: { s: 'string' },
      given: { s: '' },
      reason: 'int() cannot convert',
    },
  ];
  it.each(failures)('$name', ({ expression, parameters, given, reason }) => {
    const result = conditionOf(expression, parameters).evaluate(undefined, given);
    expect(result).toMatchObject({
      kind: 'failed',
      error: { code: 'condition_failed', message: expect.stringContaining(reason) },
    });
  });

  it('an error is outranked by a true or a false, as in CEL', () => {
    expect(conditionOf('1 / x == 1 || x == 0', { x: 'int' }).evaluate(undefined, { x: 0 })).toEqual({ kind: 'true' });
    expect(conditionOf('1 / x == 1 && x == 1', { x: 'int' }).evaluate(undefined, { x: 0 })).toEqual({ kind: 'false' });
  });
});
