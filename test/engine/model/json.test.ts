import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParameterType } from '../../../engine/condition/condition.ts';
import { modelFromJson, modelToJson, parseModel } from '../../../engine/model/index.ts';
import type { Model, Rewrite } from '../../../engine/model/model.ts';
import { dslOf } from './models.ts';

const name = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/);
const subject = fc.record(
  { type: name, relation: name, wildcard: fc.constant(true as const), condition: name },
  { requiredKeys: ['type'] },
);
const { rewrite } = fc.letrec<{ rewrite: Rewrite }>((tie) => ({
  rewrite: fc.oneof(
    { maxDepth: 4 },
    fc.constant<Rewrite>({ kind: 'direct' }),
    fc.record({ kind: fc.constant('computed' as const), relation: name }),
    fc.record({
      kind: fc.constant('from' as const),
      tupleset: name,
      relation: name,
      parents: fc.constantFrom('any' as const, 'all' as const, 'every_tuple' as const),
    }),
    fc.record({
      kind: fc.constantFrom('union' as const, 'intersection' as const),
      children: fc.array(tie('rewrite'), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('exclusion' as const), base: tie('rewrite'), subtract: tie('rewrite') }),
  ),
}));
const scalar = fc.record({
  kind: fc.constantFrom('any' as const, 'int' as const, 'string' as const, 'ipaddress' as const),
});
const parameter: fc.Arbitrary<ParameterType> = fc.oneof(
  scalar,
  fc.record({ kind: fc.constantFrom('list' as const, 'map' as const), of: scalar }),
);

function mapOf<T extends object>(value: fc.Arbitrary<T>): fc.Arbitrary<Map<string, T & { name: string }>> {
  return fc
    .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 5 })
    .map((entries) => new Map(entries.map(([key, item]) => [key, { name: key, ...item }])));
}

const model: fc.Arbitrary<Model> = fc.record({
  schemaVersion: fc.constantFrom('1.1' as const, '1.2' as const),
  types: mapOf(
    fc.record({ relations: mapOf(fc.record({ rewrite, directSubjects: fc.array(subject, { maxLength: 4 }) })) }),
  ),
  conditions: mapOf(
    fc.record({
      parameters: fc
        .uniqueArray(fc.tuple(name, parameter), { selector: ([key]) => key, maxLength: 4 })
        .map((entries) => new Map(entries)),
      expression: fc.string(),
    }),
  ),
});

describe('the JSON form', () => {
  it('comes back unchanged, in the same order', () => {
    fc.assert(
      fc.property(model, (given) => {
        const back = modelFromJson(JSON.parse(JSON.stringify(modelToJson(given))));
        expect(back).toEqual(given);
        expect(JSON.stringify(modelToJson(back))).toBe(JSON.stringify(modelToJson(given)));
      }),
    );
  });

  it('is stable', () => {
    const dsl = dslOf(
      'type doc\n  relations\n    define x: [user, doc#x with c] but not y\n    define y: [user:*]\ncondition c(l: list<int>) { 1 in l }\n',
    );
    expect(modelToJson(parseModel({ dsl }))).toEqual({
      schemaVersion: '1.1',
      types: [
        { name: 'user', relations: [] },
        {
          name: 'doc',
          relations: [
            {
              name: 'x',
              rewrite: { kind: 'exclusion', base: { kind: 'direct' }, subtract: { kind: 'computed', relation: 'y' } },
              directSubjects: [{ type: 'user' }, { type: 'doc', relation: 'x', condition: 'c' }],
            },
            { name: 'y', rewrite: { kind: 'direct' }, directSubjects: [{ type: 'user', wildcard: true }] },
          ],
        },
      ],
      conditions: [
        { name: 'c', parameters: [{ name: 'l', type: { kind: 'list', of: { kind: 'int' } } }], expression: '1 in l' },
      ],
    });
  });
});

const typeWith = (relation: unknown): unknown => ({
  schemaVersion: '1.1',
  types: [{ name: 't', relations: [relation] }],
  conditions: [],
});
const withRewrite = (value: unknown): unknown => typeWith({ name: 'r', rewrite: value, directSubjects: [] });
const deep = (levels: number): unknown =>
  levels === 0 ? { kind: 'direct' } : { kind: 'union', children: [deep(levels - 1)] };
const rewritePath = 'types[0].relations[0].rewrite';

const malformed = [
  { name: 'null', json: null, path: '' },
  { name: 'a list', json: [], path: '' },
  { name: 'another schema', json: { schemaVersion: '1.0', types: [], conditions: [] }, path: 'schemaVersion' },
  { name: 'no types', json: { schemaVersion: '1.1', conditions: [] }, path: 'types' },
  { name: 'types as an object', json: { schemaVersion: '1.1', types: {}, conditions: [] }, path: 'types' },
  {
    name: 'two types of one name',
    json: {
      schemaVersion: '1.1',
      types: [
        { name: 't', relations: [] },
        { name: 't', relations: [] },
      ],
      conditions: [],
    },
    path: 'types[1].name',
  },
  {
    name: 'no name',
    json: typeWith({ rewrite: { kind: 'direct' }, directSubjects: [] }),
    path: 'types[0].relations[0].name',
  },
  { name: 'an unknown rewrite', json: withRewrite({ kind: 'xor' }), path: `${rewritePath}.kind` },
  { name: 'a union of nothing', json: withRewrite({ kind: 'union', children: [] }), path: `${rewritePath}.children` },
  {
    name: 'unknown parents',
    json: withRewrite({ kind: 'from', tupleset: 'p', relation: 'r', parents: 'some' }),
    path: `${rewritePath}.parents`,
  },
  {
    name: 'half an exclusion',
    json: withRewrite({ kind: 'exclusion', base: { kind: 'direct' } }),
    path: `${rewritePath}.subtract`,
  },
  { name: 'too deep', json: withRewrite(deep(5000)), path: `${rewritePath}${'.children[0]'.repeat(33)}` },
  {
    name: 'a false wildcard',
    json: typeWith({ name: 'r', rewrite: { kind: 'direct' }, directSubjects: [{ type: 't', wildcard: false }] }),
    path: 'types[0].relations[0].directSubjects[0].wildcard',
  },
  {
    name: 'an unknown parameter type',
    json: {
      schemaVersion: '1.1',
      types: [],
      conditions: [
        { name: 'c', parameters: [{ name: 'p', type: { kind: 'list', of: { kind: 'bytes' } } }], expression: 'true' },
      ],
    },
    path: 'conditions[0].parameters[0].type.of.kind',
  },
  {
    name: 'no expression',
    json: { schemaVersion: '1.1', types: [], conditions: [{ name: 'c', parameters: [] }] },
    path: 'conditions[0].expression',
  },
];

describe('a malformed JSON form is refused with its path', () => {
  it.each(malformed)('$name', ({ json, path }) => {
    expect(() => modelFromJson(json)).toThrow(expect.objectContaining({ code: 'invalid_model', details: { path } }));
  });
});
