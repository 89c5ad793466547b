import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decision, parseTuple, type Store, type Tuple } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';
import { DSL, draw, inOffice, tuplesOf } from './drawn-cases.ts';

describe('every parent', () => {
  const ann = 'user:ann';
  let scratch: ScratchEngine;
  let every: Store;
  let tuples: Store;

  beforeAll(async () => {
    scratch = await ScratchEngine.open();
    every = await storeOver('all');
    tuples = await storeOver('every_tuple');
  });

  /** The language has no word for it: the model is written in its typed form. */
  async function storeOver(parents: 'all' | 'every_tuple'): Promise<Store> {
    const store = await scratch.engine.createStore(parents);
    const prepared = store.prepareModel({ dsl: DSL });
    const json: unknown = JSON.parse(JSON.stringify(prepared.json).replaceAll('"any"', `"${parents}"`));
    await store.writePreparedModel({ dsl: DSL }, { ...prepared, json });
    return store;
  }

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

  const over: Tuple = { ...parent('doc:1', 'folder:2', 9), expiresAt: 1 };
  const forms: readonly {
    name: string;
    given: readonly (string | Tuple)[];
    all: Decision['outcome'];
    tuples: Decision['outcome'];
  }[] = [
    { name: 'no parent', given: [], all: 'denied', tuples: 'denied' },
    { name: 'one that holds', given: ['doc:1#parent@folder:1'], all: 'allowed', tuples: 'allowed' },
    { name: 'one whose condition holds', given: [parent('doc:1', 'folder:1', 9)], all: 'allowed', tuples: 'allowed' },
    { name: 'one whose condition is false', given: [parent('doc:1', 'folder:1', 1)], all: 'denied', tuples: 'denied' },
    {
      name: 'one that holds, and one that holds whose condition is false',
      given: ['doc:1#parent@folder:1', parent('doc:1', 'folder:3', 1)],
      all: 'allowed',
      tuples: 'denied',
    },
    {
      name: 'one that holds, and one that does not whose condition is false',
      given: ['doc:1#parent@folder:1', parent('doc:1', 'folder:2', 1)],
      all: 'allowed',
      tuples: 'denied',
    },
    {
      name: 'one that holds, and one that holds whose condition lacks context',
      given: ['doc:1#parent@folder:1', parent('doc:1', 'folder:3')],
      all: 'allowed',
      tuples: 'conditional',
    },
    {
      name: 'one that holds, and one that does not whose condition lacks context',
      given: ['doc:1#parent@folder:1', parent('doc:1', 'folder:2')],
      all: 'conditional',
      tuples: 'denied',
    },
    {
      name: 'one that holds, and one that is over',
      given: ['doc:1#parent@folder:1', over],
      all: 'allowed',
      tuples: 'allowed',
    },
  ];
  const held = ['folder:1#viewer@user:ann', 'folder:3#viewer@user:ann'];
  it.each(forms)('of $name: `all` gives $all, `every_tuple` gives $tuples', async ({ name, given, ...expected }) => {
    for (const [form, store] of Object.entries({ all: every, tuples })) {
      const outcome = expected[form as keyof typeof expected];
      const contextualTuples = tuplesOf({ tuples: [...given, ...held] });
      const inQuestion = { object: 'doc:1', relation: 'viewer', subject: ann, contextualTuples };
      // and stored, as documents of their own
      const stored = contextualTuples.map((each) => ({
        ...each,
        object: each.object.replace('doc:1', `doc:${name.replaceAll(' ', '-')}`),
      }));
      await store.write({ writes: stored });
      const inStore = { ...inQuestion, object: `doc:${name.replaceAll(' ', '-')}`, contextualTuples: [] };
      for (const question of [inQuestion, inStore]) {
        expect([form, store.check(question).outcome, store.explain(question).outcome]).toEqual([
          form,
          outcome,
          outcome,
        ]);
        const { contextualTuples: given } = question;
        const objects = store.listObjects({ type: 'doc', relation: 'viewer', subject: ann, contextualTuples: given });
        const subjects = store.listSubjects({ ...question, subjectType: 'user' });
        const isListed = [objects.items.includes(question.object), subjects.items.includes(ann)];
        expect([form, ...isListed]).toEqual([form, outcome === 'allowed', outcome === 'allowed']);
      }
    }
  });

  it('a contextual tuple stands in the place of a stored one', async () => {
    const stored = tuplesOf({ tuples: ['doc:hidden#parent@folder:1', 'doc:hidden#parent@folder:2', held[0] ?? ''] });
    const contextualTuples = [parent('doc:hidden', 'folder:2', 1)];
    const question = { object: 'doc:hidden', relation: 'viewer', subject: ann };
    for (const store of [every, tuples]) {
      await store.write({ writes: stored });
      expect(store.check(question).outcome).toBe('denied');
    }
    expect(every.check({ ...question, contextualTuples }).outcome).toBe('allowed');
    expect(tuples.check({ ...question, contextualTuples }).outcome).toBe('denied');
  });

  it('is denied by a tuple that must count, which is told with its condition', () => {
    const contextualTuples = tuplesOf({ tuples: ['doc:1#parent@folder:1', parent('doc:1', 'folder:3', 1), ...held] });
    const question = { object: 'doc:1', relation: 'viewer', subject: ann, contextualTuples };
    expect(draw(tuples.explain(question))).toEqual([
      'doc:1#viewer@user:ann denied by union',
      '  doc:1#viewer@user:ann denied by computed',
      '    doc:1#editor@user:ann denied by none',
      '  doc:1#viewer@user:ann denied by intersection',
      '    doc:1#viewer@user:ann denied by from doc:1#parent@folder:3 (in_office false)',
    ]);
  });

  it('is named whatever its type in an expansion', () => {
    const contextualTuples = [parseTuple('doc:1#parent@folder:1')];
    expect(every.expand({ object: 'doc:1', relation: 'viewer', contextualTuples })).toMatchObject({
      children: [{}, {}, { kind: 'from', parents: 'all', usersets: ['folder:1#viewer'] }],
    });
  });
});
