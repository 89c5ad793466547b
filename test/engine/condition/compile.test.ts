import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../engine/errors.ts';
import { leastCpuMs } from '../../platform/cpu-ms.ts';
import { conditionOf } from './condition-of.ts';

const x = { x: 'int' };
const refused = [
  { name: 'syntax', expression: 'x <', parameters: x, reason: 'Unexpected token', line: 1, column: 4 },
  {
    name: 'unknown variable',
    expression: 'x < 1 &&\n  y < 3',
    parameters: x,
    reason: 'Unknown variable: y',
    line: 2,
    column: 3,
  },
  {
    name: 'operator types',
    expression: 'x == "a"',
    parameters: x,
    reason: 'no such overload: int == string',
    line: 1,
    column: 1,
  },
  {
    name: 'mixed equality',
    expression: 'x == 1',
    parameters: { x: 'double' },
    reason: 'double == int',
    line: 1,
    column: 1,
  },
  {
    name: 'argument types',
    expression: 'true || x.contains("a")',
    parameters: x,
    reason: 'no matching overload',
    line: 1,
    column: 9,
  },
  { name: 'int result', expression: 'x + 1', parameters: x, reason: 'must be a bool, and is int', line: 1, column: 1 },
  {
    name: 'dyn result',
    expression: 'm.x',
    parameters: { m: 'attributes' },
    reason: 'must be a bool, and is dyn',
    line: 1,
    column: 1,
  },
  {
    name: 'unknown function',
    expression: 'true || f(x)',
    parameters: x,
    reason: 'unknown function `f`',
    line: 1,
    column: 9,
  },
  {
    name: 'cel.bind',
    expression: 'cel.bind(a, x, a < 1)',
    parameters: x,
    reason: 'unknown function `bind`',
    line: 1,
    column: 1,
  },
  {
    name: 'json',
    expression: 'bytes(s).json().a == 1',
    parameters: { s: 'string' },
    reason: 'unknown function `json`',
    line: 1,
    column: 1,
  },
  {
    name: 'constant pattern',
    expression: 's.matches("(a")',
    parameters: { s: 'string' },
    reason: 'missing closing )',
    line: 1,
    column: 11,
  },
  {
    name: 'long pattern',
    expression: `s.matches("${'a'.repeat(513)}")`,
    parameters: { s: 'string' },
    reason: '512 characters',
    line: 1,
    column: 11,
  },
  {
    name: 'huge repetition',
    expression: 's.matches("(a{1000}){1000}")',
    parameters: { s: 'string' },
    reason: 'invalid repeat count',
    line: 1,
    column: 11,
  },
  {
    name: 'in_cidr on text',
    expression: 's.in_cidr("10.0.0.0/8")',
    parameters: { s: 'string' },
    reason: 'no matching overload',
    line: 1,
    column: 1,
  },
  { name: 'assignment', expression: 'x = 1', parameters: x, reason: 'Unexpected character', line: 1, column: 3 },
  { name: 'empty', expression: '', parameters: x, reason: 'Unexpected token', line: 1, column: 1 },
  {
    name: 'taken parameter name',
    expression: 'type < 1',
    parameters: { type: 'int' },
    reason: '`type` cannot be the name',
    line: 1,
    column: 1,
  },
  {
    name: 'reserved parameter name',
    expression: 'true',
    parameters: { __proto: 'int', in: 'int' },
    reason: '`in` cannot be the name',
    line: 1,
    column: 1,
  },
  {
    name: 'parameter name with a dash',
    expression: 'a-b < 1',
    parameters: { 'a-b': 'int' },
    reason: '`a-b` cannot be the name',
    line: 1,
    column: 1,
  },
];

describe('a condition that is not well typed is refused with its place', () => {
  it.each(refused)('$name', ({ expression, parameters, reason, line, column }) => {
    const error = caught(() => conditionOf(expression, parameters));
    expect(error).toMatchObject({ code: 'invalid_model', details: { condition: 'rule', issues: [{ line, column }] } });
    expect(error.message).toContain(reason);
    expect(error.message).not.toContain('\n');
  });
});

const oversized = [
  { name: 'text', expression: `s == "${'a'.repeat(16_384)}"`, reason: '16384 characters' },
  { name: 'parentheses', expression: `${'('.repeat(5000)}true${')'.repeat(5000)}`, reason: 'nesting of 200' },
  { name: 'negations', expression: `${'!'.repeat(16_000)}true`, reason: 'nest' },
  { name: 'minus signs', expression: `${'-'.repeat(16_000)}1 == 1`, reason: 'nest' },
  { name: 'a chain', expression: `true${' && true'.repeat(300)}`, reason: 'nesting of 200' },
  { name: 'a list', expression: `1 in [${'1,'.repeat(5000)}1]`, reason: '4096 parts' },
  {
    name: 'many parts',
    expression: Array(8)
      .fill(`size([${'1,'.repeat(600)}1]) > 1`)
      .join(' && '),
    reason: '4096 parts',
  },
  { name: 'selects', expression: `s${'.a'.repeat(7000)} == 1`, reason: 'nesting of 200' },
];

describe('a condition that is too large is refused quickly', () => {
  it.each(oversized)('$name', ({ expression, reason }) => {
    const refused = () => caught(() => conditionOf(expression, { s: 'string' })).message;
    expect(leastCpuMs(() => expect(refused()).toContain(reason))).toBeLessThan(500);
  });
});

function caught(run: () => unknown): EngineError {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('was accepted');
}
