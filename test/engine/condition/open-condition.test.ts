import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileCondition } from '../../../engine/condition/index.ts';
import type { EngineError, Store, Tuple } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { conditionOf, definitionOf } from './condition-of.ts';

const holds = conditionOf('holds(expression)', { expression: 'string' });
const now = '2026-03-02T10:00:00Z';
const given = { subject: { type: 'user', team: 'sales', age: 30, address: { city: 'Rome' } }, environment: {}, now };

describe('an expression of the tuple', () => {
  it.each([
    ['subject.team == "sales"', { kind: 'true' }],
    ['subject.team == "hr"', { kind: 'false' }],
    ['subject.address.city == "Rome" && subject.age >= 18.0', { kind: 'true' }],
    ['now.getHours() == 10', { kind: 'true' }],
    ['has(subject.clearance) && subject.clearance > 3.0', { kind: 'false' }],
    // absent attributes are missing, each by its name, unless something else decides
    ['subject.clearance > 3.0', { kind: 'missing', names: ['subject.clearance'] }],
    ['subject["clearance"] > 3.0', { kind: 'missing', names: ['subject.clearance'] }],
    ['subject.address.zip == "1"', { kind: 'missing', names: ['subject.address.zip'] }],
    ['environment.vpn', { kind: 'failed' }],
    ['environment.vpn == true', { kind: 'missing', names: ['environment.vpn'] }],
    ['subject.clearance > 3.0 || subject.team == "sales"', { kind: 'true' }],
    ['subject.clearance > 3.0 && subject.team == "hr"', { kind: 'false' }],
    // what the expression does not name need not be there, and what it names must
    ['resource.owner == subject.id', { kind: 'missing', names: ['resource'] }],
    // wrong types are failures, not denials
    ['subject.team > 3.0', { kind: 'failed' }],
  ])('%s', (expression, expected) => {
    expect(holds.evaluate({ expression }, given)).toMatchObject(expected);
  });

  it('is never taken from the question', () => {
    expect(holds.evaluate(undefined, { ...given, expression: 'true' })).toMatchObject({ kind: 'failed' });
    expect(holds.evaluate({}, { ...given, expression: 'true' })).toMatchObject({ kind: 'failed' });
  });

  it('is bounded in length, in dependencies, in its nesting and in work', () => {
    const long = `subject.team == "${'x'.repeat(4100)}"`;
    const wide = Array.from({ length: 600 }, () => 'true').join(' && ');
    for (const expression of [long, wide]) {
      expect(holds.evaluate({ expression }, given)).toMatchObject({
        kind: 'failed',
        error: { code: 'invalid_context' },
      });
    }
    const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    const deepest = { expression: `${nested(62)} == subject.list` };
    expect(holds.evaluate(deepest, { ...given, subject: { list: [] } })).toEqual({ kind: 'false' });
    expect(holds.checkStored?.(deepest)).toBeUndefined();
    const tooDeep = { expression: `${nested(63)} == subject.list` };
    const error = { code: 'invalid_context', message: expect.stringContaining('a nesting of 64') };
    expect(holds.evaluate(tooDeep, given)).toMatchObject({ kind: 'failed', error });
    expect(holds.checkStored?.(tooDeep)).toMatchObject(error);
    const items = Array.from({ length: 400 }, (_, i) => i);
    const expression = 'subject.items.all(a, subject.items.all(b, subject.items.all(c, a + b + c >= 0.0)))';
    expect(holds.evaluate({ expression }, { ...given, subject: { items } })).toMatchObject({
      kind: 'failed',
      error: { code: 'condition_too_costly' },
    });
  });

  it.each([
    ['subject.team', 'must be a bool', 1],
    ['subject.team == ', 'Unexpected token', 1],
    ['tenant.name == "x"', 'Unknown variable', 1],
    ['subject.a == 1.0 &&\n  holds(subject.b)', 'unknown function', 2],
  ])('%s is refused with its place', (expression, message, line) => {
    const error = holds.checkStored?.({ expression }) as EngineError;
    expect(error).toMatchObject({ code: 'invalid_context', details: { issues: [{ line }] } });
    expect(error.message).toContain(message);
    expect(error.message.split('condition rule')).toHaveLength(2);
  });

  it.each([{}, { expression: 7 }])('%o is no context of such a tuple', (context) => {
    expect(holds.checkStored?.(context)).toMatchObject({ code: 'invalid_context' });
  });
});

it.each([
  ['holds(expression)', { expression: 'int' }],
  ['holds(expression)', { expression: 'string', other: 'string' }],
  ['holds(other)', { expression: 'string' }],
  ['!holds(expression)', { expression: 'string' }],
])('%s with %o is no condition', (expression, parameters) => {
  expect(() => compileCondition(definitionOf(expression, parameters))).toThrow(/holds/);
});

describe('in a store', () => {
  let scratch: ScratchEngine;
  let store: Store;

  beforeEach(async () => {
    scratch = await ScratchEngine.open({ clock: () => Date.parse(now) });
    store = await scratch.engine.createStore('s');
    await store.writeModel({
      dsl: `model
  schema 1.1
type user
type rule
  relations
    define applies: [user:* with by_attributes]
type door
  relations
    define opens: [rule#applies]
condition by_attributes(expression: string) {
  holds(expression)
}
`,
    });
  });
  afterEach(() => scratch.close());

  const rule = (id: string, expression: string): Tuple => ({
    object: `rule:${id}`,
    relation: 'applies',
    subject: 'user:*',
    condition: { name: 'by_attributes', context: { expression } },
  });
  const door = (id: string): Tuple => ({ object: 'door:a', relation: 'opens', subject: `rule:${id}#applies` });

  it('decides, says what is missing, and finds what it decides', async () => {
    await store.write({ writes: [rule('sales', 'subject.team == "sales"'), door('sales'), door('none')] });
    const ask = (context: object) =>
      store.check({ object: 'door:a', relation: 'opens', subject: 'user:u', context: { ...context, now } });
    expect(ask({ subject: { team: 'sales' } })).toEqual({ outcome: 'allowed' });
    expect(ask({ subject: { team: 'hr' } })).toEqual({ outcome: 'denied' });
    expect(ask({ subject: {} })).toEqual({ outcome: 'conditional', missing: ['subject.team'] });
    expect(ask({})).toEqual({ outcome: 'conditional', missing: ['subject'] });
    const question = { type: 'door', relation: 'opens', subject: 'user:u' };
    expect(store.listObjects({ ...question, context: { subject: { team: 'sales' } } }).items).toEqual(['door:a']);
    expect(store.listObjects({ ...question, context: { subject: { team: 'hr' } } }).items).toEqual([]);
  });

  it('is refused when it is written, with its place', async () => {
    for (const tuple of [rule('x', 'subject.team'), { ...rule('x', ''), condition: { name: 'by_attributes' } }]) {
      await expect(store.write({ writes: [tuple] })).rejects.toMatchObject({ code: 'invalid_context' });
    }
  });
});
