import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTuple, type Store, type Tuple } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';
import { DSL, draw, inOffice, tuplesOf } from './drawn-cases.ts';

describe('every parent', () => {
  const ann = 'user:ann';
  let scratch: ScratchEngine;
  let every: Store;

  beforeAll(async () => {
    scratch = await ScratchEngine.open();
    every = await scratch.engine.createStore('every');
    // The language has no word for it: the model is written in its typed form.
    const prepared = every.prepareModel({ dsl: DSL });
    const json: unknown = JSON.parse(JSON.stringify(prepared.json).replaceAll('"any"', '"all"'));
    await every.writePreparedModel({ dsl: DSL }, { ...prepared, json });
  });

  afterAll(() => scratch.close());

  const parent = (doc: string, folder: string, floor?: number): Tuple => ({
    ...parseTuple(`${doc}#parent@${folder}`),
    condition: inOffice(floor),
  });
  const cases: readonly { name: string; given: readonly (string | Tuple)[]; expect: readonly string[] }[] = [
    {
      name: 'is proved by all that count',
      given: [
        'doc:1#parent@folder:1',
        parent('doc:1', 'folder:2', 9),
        parent('doc:1', 'folder:3', 1),
        'folder:1#viewer@user:ann',
        'folder:2#viewer@user:*',
      ],
      expect: [
        'doc:1#viewer@user:ann allowed by intersection',
        '  doc:1#viewer@user:ann allowed by from doc:1#parent@folder:1',
        '    folder:1#viewer@user:ann allowed by tuple folder:1#viewer@user:ann',
        '  doc:1#viewer@user:ann allowed by from doc:1#parent@folder:2 (in_office true)',
        '    folder:2#viewer@user:ann allowed by wildcard folder:2#viewer@user:*',
      ],
    },
    {
      name: 'is denied by one that does not hold',
      given: ['doc:1#parent@folder:1', 'doc:1#parent@folder:2', 'folder:1#viewer@user:ann'],
      expect: [
        'doc:1#viewer@user:ann denied by union',
        '  doc:1#viewer@user:ann denied by computed',
        '    doc:1#editor@user:ann denied by none',
        '  doc:1#viewer@user:ann denied by intersection',
        '    doc:1#viewer@user:ann denied by from doc:1#parent@folder:2',
        '      folder:2#viewer@user:ann denied by intersection',
      ],
    },
    {
      name: 'is conditional where one that may not count does not hold',
      given: ['doc:1#parent@folder:1', parent('doc:1', 'folder:2'), 'folder:1#viewer@user:ann'],
      expect: [
        'doc:1#viewer@user:ann conditional by intersection',
        '  doc:1#viewer@user:ann conditional by from doc:1#parent@folder:2 (in_office missing)',
        '    folder:2#viewer@user:ann denied by intersection',
      ],
    },
    {
      name: 'is conditional where none is sure to count',
      given: [parent('doc:1', 'folder:1'), parent('doc:1', 'folder:2', 1), 'folder:1#viewer@user:ann'],
      expect: [
        'doc:1#viewer@user:ann conditional by intersection',
        '  doc:1#viewer@user:ann conditional by from doc:1#parent@folder:1 (in_office missing)',
        '    folder:1#viewer@user:ann allowed by tuple folder:1#viewer@user:ann',
      ],
    },
    {
      name: 'is denied where the only one does not hold, whether it counts or not',
      given: [parent('doc:1', 'folder:1')],
      expect: [
        'doc:1#viewer@user:ann denied by union',
        '  doc:1#viewer@user:ann denied by computed',
        '    doc:1#editor@user:ann denied by none',
        '  doc:1#viewer@user:ann denied by intersection',
        '    doc:1#viewer@user:ann denied by from doc:1#parent@folder:1 (in_office missing)',
        '      folder:1#viewer@user:ann denied by intersection',
      ],
    },
  ];
  for (const { name, given, expect: expected } of cases) {
    it(name, () => {
      const contextualTuples = tuplesOf({ tuples: given });
      const question = { object: 'doc:1', relation: 'viewer', subject: ann, contextualTuples };
      expect(draw(every.explain(question))).toEqual(expected);
      expect(every.check(question).outcome).toBe(every.explain(question).outcome);
    });
  }

  it('is named whatever its type in an expansion', () => {
    const contextualTuples = [parseTuple('doc:1#parent@folder:1')];
    expect(every.expand({ object: 'doc:1', relation: 'viewer', contextualTuples })).toMatchObject({
      children: [{}, {}, { kind: 'from', parents: 'all', usersets: ['folder:1#viewer'] }],
    });
  });
});
