import transformer from '@openfga/syntax-transformer';
import { describe, expect, it } from 'vitest';
import { EngineError, languageOf } from '../../../engine/index.ts';
import { modelToJson, parseModel } from '../../../engine/model/index.ts';
import { conformanceModels, hasConformanceData } from './models.ts';

const jsonOf = (dsl: string): object => transformer.transformer.transformDSLToJSONObject(dsl);
const read = (json: unknown) => modelToJson(parseModel({ dsl: languageOf(json).dsl }));

describe('a model in the JSON of OpenFGA is the model in its language', () => {
  describe.skipIf(!hasConformanceData)('of the conformance data', () => {
    it.each(conformanceModels())('$name', ({ dsl }) => {
      expect(sorted(read(jsonOf(dsl)))).toEqual(sorted(modelToJson(parseModel({ dsl }))));
    });
  });

  it('with conditions, wildcards, parentheses and nested types of parameters', () => {
    const dsl = `model
  schema 1.1
type user
type group
  relations
    define member: [user, group#member, user:* with office]
type doc
  relations
    define parent: [doc]
    define blocked: [user]
    define editor: [user]
    define viewer: [user with office, group#member] or (editor and (member_of or viewer from parent)) or editor
    define member_of: ([user] or editor) but not blocked
condition office(hours: list<string>, attributes: map<int>, at: timestamp) {
  hours.exists(h, h == "day") &&
    size(attributes) > 0
}
`;
    expect(sorted(read(jsonOf(dsl)))).toEqual(sorted(modelToJson(parseModel({ dsl }))));
  });

  it('as servers write it, with what is empty and what only they know', () => {
    const json = {
      id: '01HVMMBCMGZNT3SED4Z17ECXCA',
      schema_version: '1.1',
      type_definitions: [
        { type: 'user', relations: {}, metadata: null },
        {
          type: 'doc',
          relations: {
            viewer: { union: { child: [{ computedUserset: { object: '', relation: 'owner' } }, { this: {} }] } },
            owner: { this: {} },
          },
          metadata: {
            module: '',
            source_info: null,
            relations: {
              viewer: {
                directly_related_user_types: [
                  { type: 'user', condition: '' },
                  { type: 'user', wildcard: {} },
                ],
              },
              owner: { directly_related_user_types: [{ type: 'user', relation: '', condition: '' }] },
            },
          },
        },
      ],
    };
    const { dsl, paths } = languageOf(json);
    expect(dsl).toBe(`model
  schema 1.1
type user
type doc
  relations
    define viewer: [user, user:*] or owner
    define owner: [user]
`);
    expect(paths).toHaveLength(7);
    expect(paths[5]).toBe('type_definitions[1].relations.viewer');
  });
});

describe('what is no model is refused with its place', () => {
  const doc = (rewrite: unknown, subjects: unknown = [{ type: 'user' }]) => ({
    schema_version: '1.1',
    type_definitions: [
      { type: 'user' },
      {
        type: 'doc',
        relations: { viewer: rewrite },
        metadata: { relations: { viewer: { directly_related_user_types: subjects } } },
      },
    ],
  });
  const viewer = 'type_definitions[1].relations.viewer';
  let deep: unknown = { this: {} };
  for (let level = 0; level < 40; level++) deep = { union: { child: [deep, { computedUserset: { relation: 'x' } }] } };

  it.each([
    ['another version', { schema_version: '1.0', type_definitions: [] }, 'schema_version'],
    ['no list of types', { schema_version: '1.1', type_definitions: {} }, 'type_definitions'],
    ['a name that is none', { schema_version: '1.1', type_definitions: [{ type: 'a b' }] }, 'type_definitions[0].type'],
    [
      'a name that would be more than one line',
      { schema_version: '1.1', type_definitions: [{ type: 'a\ntype b' }] },
      'type_definitions[0].type',
    ],
    ['an unknown rewrite', doc({ everybody: {} }), viewer],
    ['a rewrite that is none', doc(7), viewer],
    ['a union of nothing', doc({ union: { child: [] } }), `${viewer}.union.child`],
    ['direct subjects of which there are none', doc({ this: {} }, []), viewer],
    [
      'a subtracted list',
      doc({ difference: { base: { computedUserset: { relation: 'a' } }, subtract: { this: {} } } }),
      `${viewer}.difference.subtract`,
    ],
    ['two lists', doc({ union: { child: [{ this: {} }, { this: {} }] } }), `${viewer}.union`],
    [
      'a parameter of no type',
      {
        schema_version: '1.1',
        type_definitions: [],
        conditions: { c: { name: 'c', expression: 'x', parameters: { x: { type_name: 'TYPE_NAME_BLOB' } } } },
      },
      'conditions.c.parameters.x.type_name',
    ],
  ])('%s', (_, json, path) => {
    const error = errorOf(() => languageOf(json));
    expect(error.code).toBe('invalid_model');
    const [issue] = (error.details.issues as { file: string }[] | undefined) ?? [];
    expect(issue?.file ?? error.details.path).toBe(path);
  });

  it('nesting past the bound', () => {
    expect(errorOf(() => languageOf(doc(deep))).message).toContain('nested');
  });
});

function errorOf(run: () => unknown): EngineError {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Operands of unions and intersections stand in an order that means nothing. */
function sorted(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sorted);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).map(([name, value]): [string, unknown] => [name, sorted(value)]);
  const plain = Object.fromEntries(entries);
  if (Array.isArray(plain.children)) {
    plain.children = [...plain.children].sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  }
  return plain;
}
