import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckRequest, type Explanation, parseTuple, type Store } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';
import { type Case, DSL, draw, inOffice, tuplesOf } from './drawn-cases.ts';

let scratch: ScratchEngine;
let store: Store;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('main');
  await store.writeModel({ dsl: DSL });
});

afterAll(() => scratch.close());

/** Follows the steps from one object's relation to another's; the same one twice on a path is a proof by itself. */
function requireNoRepetition(node: Explanation, path: readonly string[] = []): number {
  const isStep = ['computed', 'userset', 'from'].includes(node.rule);
  const below = isStep ? [...path, node.question] : path;
  const heights = (node.children ?? []).map((child) => {
    if (isStep && below.includes(child.question)) throw new Error(`${child.question} rests on itself`);
    return requireNoRepetition(child, below);
  });
  return 1 + Math.max(0, ...heights);
}

describe('a proof on cyclic data', () => {
  it('never rests on itself, whichever way it enters the cycle', async () => {
    const own = await scratch.engine.createStore('cycles');
    await own.writeModel({ dsl: DSL });
    const ring = Array.from({ length: 12 }, (_, i) => [
      parseTuple(`loop:${i}#a@loop:${(i + 1) % 12}#b`),
      parseTuple(`loop:${i}#b@loop:${(i + 11) % 12}#a`),
      parseTuple(`loop:${i}#next@loop:${(i + 5) % 12}`),
    ]).flat();
    await own.write({ writes: [...ring, parseTuple('loop:7#b@user:ann')] });
    for (let i = 0; i < 12; i++) {
      for (const relation of ['a', 'b']) {
        const told = own.explain({ object: `loop:${i}`, relation, subject: 'user:ann' });
        expect(told.outcome).toBe('allowed');
        requireNoRepetition(told);
        expect(draw(told).at(-1)).toContain('allowed by tuple loop:7#b@user:ann');
      }
    }
  });

  it('is found as deep as the check goes', async () => {
    const own = await scratch.engine.createStore('deep');
    await own.writeModel({ dsl: DSL });
    const chain = Array.from({ length: 30 }, (_, i) => parseTuple(`team:${i}#member@team:${i + 1}#member`));
    await own.write({ writes: [...chain, parseTuple('team:30#member@user:ann')] });
    for (let i = 5; i <= 30; i++) {
      const told = own.explain({ object: `team:${i}`, relation: 'member', subject: 'user:ann' });
      expect(requireNoRepetition(told)).toBe(31 - i);
    }
    expect(() => own.explain({ object: 'team:4', relation: 'member', subject: 'user:ann' })).toThrowError(
      expect.objectContaining({ code: 'too_deep' }),
    );
  });
});

describe('wide objects', () => {
  it('are proved by the one userset that holds, and cut when denied', async () => {
    const own = await scratch.engine.createStore('wide');
    await own.writeModel({ dsl: DSL });
    const teams = Array.from({ length: 20_000 }, (_, i) => parseTuple(`doc:1#viewer@team:t${i}#member`));
    await own.write({
      writes: [...teams, parseTuple('team:t19999#member@user:ann'), parseTuple('team:t3#member@user:bob')],
    });
    expect(draw(own.explain(parseTuple('doc:1#viewer@user:ann')))).toEqual([
      'doc:1#viewer@user:ann allowed by userset doc:1#viewer@team:t19999#member',
      '  team:t19999#member@user:ann allowed by tuple team:t19999#member@user:ann',
    ]);
    const denied = draw(own.explain(parseTuple('doc:1#viewer@user:eve')));
    expect(denied.length).toBeGreaterThan(400);
    expect(denied.length).toBeLessThan(600);
    expect(denied.at(-1)).toBe('  doc:1#viewer@user:eve denied by none');
  });
});

describe('refused as the check is', () => {
  const failing = { ...parseTuple('doc:1#viewer@user:ann'), condition: inOffice() };
  const refusals: readonly (Case & { readonly more?: Partial<CheckRequest>; readonly code: string })[] = [
    { name: 'an unknown type', question: 'none:1#viewer@user:ann', tuples: [], code: 'unknown_type' },
    { name: 'an unknown relation', question: 'doc:1#none@user:ann', tuples: [], code: 'unknown_relation' },
    { name: 'an unknown subject', question: 'doc:1#viewer@none:1', tuples: [], code: 'unknown_type' },
    { name: 'a malformed subject', question: 'doc:1#viewer@ann', tuples: [], code: 'invalid_tuple' },
    {
      name: 'a tuple that does not fit',
      question: 'doc:1#viewer@user:ann',
      tuples: ['doc:1#viewer@doc:1'],
      code: 'invalid_contextual_tuple',
    },
    {
      name: 'a condition that fails',
      question: 'doc:1#viewer@user:ann',
      tuples: [failing],
      more: { context: { floor: 'high' } },
      code: 'invalid_context',
    },
  ];
  for (const { name, question, code, more, ...given } of refusals) {
    it(name, () => {
      const request = { ...parseTuple(question), contextualTuples: tuplesOf(given), ...more };
      expect(() => store.explain(request)).toThrowError(expect.objectContaining({ code }));
      expect(() => store.check(request)).toThrowError(expect.objectContaining({ code }));
    });
  }

  it('unless another branch allows', () => {
    const told = store.explain({
      ...parseTuple('doc:1#viewer@user:ann'),
      contextualTuples: [failing, parseTuple('doc:1#editor@user:ann')],
      context: { floor: 'high' },
    });
    expect(draw(told)).toEqual([
      'doc:1#viewer@user:ann allowed by computed',
      '  doc:1#editor@user:ann allowed by tuple doc:1#editor@user:ann',
    ]);
  });
});
