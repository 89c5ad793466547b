import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckRequest, type Explanation, parseTuple, type Store, type Tuple } from '../../engine/index.ts';
import { ScratchEngine } from './scratch-engine.ts';

const DSL = `
model
  schema 1.1
type user
type team
  relations
    define member: [user, team#member]
type folder
  relations
    define parent: [folder]
    define viewer: [user, user:*, team#member, user with in_office, team#member with in_office] or viewer from parent
type doc
  relations
    define parent: [folder, folder with in_office]
    define banned: [user, team#member]
    define editor: [user, doc#viewer]
    define viewer: [user, team#member, user with in_office, team#member with in_office] or editor or viewer from parent
    define reader: viewer but not banned
    define both: viewer and editor
    define mixed: ([user] and editor) or (viewer but not banned)
type loop
  relations
    define next: [loop]
    define a: [user, loop#b] or a from next
    define b: [user, loop#a] or b from next
    define ok: [user] but not banned
    define banned: [user, loop#ok]
condition in_office(floor: int) {
  floor > 2
}
`;

const inOffice = (floor?: number) => ({ name: 'in_office', ...(floor !== undefined && { context: { floor } }) });
const NOW = 1_800_000_000_000;

let scratch: ScratchEngine;
let store: Store;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('main');
  await store.writeModel({ dsl: DSL });
});

afterAll(() => scratch.close());

interface Case {
  readonly name: string;
  readonly question: string;
  readonly tuples: readonly (string | Tuple)[];
  readonly more?: Partial<CheckRequest>;
}

/** Explains a question over contextual tuples alone. */
function explain({ question, tuples, more }: Omit<Case, 'name'>): Explanation {
  const contextualTuples = tuples.map((tuple) => (typeof tuple === 'string' ? parseTuple(tuple) : tuple));
  return store.explain({ ...parseTuple(question), contextualTuples, now: NOW, ...more });
}

/** One line a node: what it says, indented by its depth. */
function draw(node: Explanation, indent = ''): string[] {
  const condition = node.condition && ` (${node.condition.name} ${node.condition.result})`;
  const line = `${indent}${node.question} ${node.outcome} by ${node.rule}${node.tuple ? ` ${node.tuple}` : ''}${condition ?? ''}`;
  return [line, ...(node.children ?? []).flatMap((child) => draw(child, `${indent}  `))];
}

const cases: readonly (Case & { expect: readonly string[] })[] = [
  {
    name: 'a tuple',
    question: 'doc:1#viewer@user:ann',
    tuples: ['doc:1#viewer@user:ann'],
    expect: ['doc:1#viewer@user:ann allowed by tuple doc:1#viewer@user:ann'],
  },
  {
    name: 'a wildcard',
    question: 'folder:1#viewer@user:ann',
    tuples: ['folder:1#viewer@user:*'],
    expect: ['folder:1#viewer@user:ann allowed by wildcard folder:1#viewer@user:*'],
  },
  {
    name: 'the userset itself',
    question: 'doc:1#viewer@doc:1#viewer',
    tuples: [],
    expect: ['doc:1#viewer@doc:1#viewer allowed by self'],
  },
  {
    name: 'a userset that a tuple names',
    question: 'doc:1#viewer@team:a#member',
    tuples: ['doc:1#viewer@team:a#member'],
    expect: ['doc:1#viewer@team:a#member allowed by tuple doc:1#viewer@team:a#member'],
  },
  {
    name: 'nested teams, past those without the subject',
    question: 'doc:1#viewer@user:ann',
    tuples: [
      'doc:1#viewer@team:x#member',
      'doc:1#viewer@team:a#member',
      'team:a#member@team:b#member',
      'team:b#member@user:ann',
    ],
    expect: [
      'doc:1#viewer@user:ann allowed by userset doc:1#viewer@team:a#member',
      '  team:a#member@user:ann allowed by userset team:a#member@team:b#member',
      '    team:b#member@user:ann allowed by tuple team:b#member@user:ann',
    ],
  },
  {
    name: 'a computed relation and a parent',
    question: 'doc:1#reader@user:ann',
    tuples: ['doc:1#parent@folder:1', 'folder:1#parent@folder:2', 'folder:2#viewer@user:ann'],
    expect: [
      'doc:1#reader@user:ann allowed by exclusion',
      '  doc:1#reader@user:ann allowed by computed',
      '    doc:1#viewer@user:ann allowed by from doc:1#parent@folder:1',
      '      folder:1#viewer@user:ann allowed by from folder:1#parent@folder:2',
      '        folder:2#viewer@user:ann allowed by tuple folder:2#viewer@user:ann',
      '  doc:1#reader@user:ann denied by computed',
      '    doc:1#banned@user:ann denied by none',
    ],
  },
  {
    name: 'both sides of an intersection',
    question: 'doc:1#both@user:ann',
    tuples: ['doc:1#editor@user:ann'],
    expect: [
      'doc:1#both@user:ann allowed by intersection',
      '  doc:1#both@user:ann allowed by computed',
      '    doc:1#viewer@user:ann allowed by computed',
      '      doc:1#editor@user:ann allowed by tuple doc:1#editor@user:ann',
      '  doc:1#both@user:ann allowed by computed',
      '    doc:1#editor@user:ann allowed by tuple doc:1#editor@user:ann',
    ],
  },
  {
    name: 'the operand of a union that holds',
    question: 'doc:1#mixed@user:ann',
    tuples: ['doc:1#mixed@user:ann', 'doc:1#viewer@user:ann'],
    expect: [
      'doc:1#mixed@user:ann allowed by exclusion',
      '  doc:1#mixed@user:ann allowed by computed',
      '    doc:1#viewer@user:ann allowed by tuple doc:1#viewer@user:ann',
      '  doc:1#mixed@user:ann denied by computed',
      '    doc:1#banned@user:ann denied by none',
    ],
  },
  {
    name: 'a condition that holds',
    question: 'doc:1#viewer@user:ann',
    tuples: [{ ...parseTuple('doc:1#viewer@user:ann'), condition: inOffice(3) }],
    expect: ['doc:1#viewer@user:ann allowed by tuple doc:1#viewer@user:ann (in_office true)'],
  },
  {
    name: 'nothing to try',
    question: 'doc:1#banned@user:ann',
    tuples: [],
    expect: ['doc:1#banned@user:ann denied by none'],
  },
  {
    name: 'every branch of a denial',
    question: 'doc:1#viewer@user:ann',
    tuples: ['doc:1#parent@folder:1', 'doc:1#viewer@team:a#member', 'team:a#member@user:bob'],
    expect: [
      'doc:1#viewer@user:ann denied by union',
      '  doc:1#viewer@user:ann denied by computed',
      '    doc:1#editor@user:ann denied by none',
      '  doc:1#viewer@user:ann denied by from doc:1#parent@folder:1',
      '    folder:1#viewer@user:ann denied by none',
      '  doc:1#viewer@user:ann denied by userset doc:1#viewer@team:a#member',
      '    team:a#member@user:ann denied by none',
    ],
  },
  {
    name: 'a tuple that has expired, and one whose condition does not hold',
    question: 'folder:1#viewer@user:ann',
    tuples: [
      { ...parseTuple('folder:1#viewer@user:ann'), condition: inOffice(1) },
      { ...parseTuple('folder:1#viewer@user:*'), expiresAt: NOW },
      { ...parseTuple('folder:1#viewer@team:a#member'), condition: inOffice(2) },
      'team:a#member@user:ann',
    ],
    expect: [
      'folder:1#viewer@user:ann denied by union',
      '  folder:1#viewer@user:ann denied by tuple folder:1#viewer@user:ann (in_office false)',
      '  folder:1#viewer@user:ann denied by wildcard folder:1#viewer@user:*',
      '  folder:1#viewer@user:ann denied by userset folder:1#viewer@team:a#member (in_office false)',
    ],
  },
  {
    name: 'who is banned, and why',
    question: 'doc:1#reader@user:ann',
    tuples: ['doc:1#viewer@user:ann', 'doc:1#banned@team:a#member', 'team:a#member@user:ann'],
    expect: [
      'doc:1#reader@user:ann denied by exclusion',
      '  doc:1#reader@user:ann allowed by computed',
      '    doc:1#viewer@user:ann allowed by tuple doc:1#viewer@user:ann',
      '  doc:1#reader@user:ann allowed by computed',
      '    doc:1#banned@user:ann allowed by userset doc:1#banned@team:a#member',
      '      team:a#member@user:ann allowed by tuple team:a#member@user:ann',
    ],
  },
  {
    name: 'the operand of an intersection that does not hold',
    question: 'doc:1#both@user:ann',
    tuples: ['doc:1#viewer@user:ann'],
    expect: [
      'doc:1#both@user:ann denied by intersection',
      '  doc:1#both@user:ann denied by computed',
      '    doc:1#editor@user:ann denied by none',
    ],
  },
  {
    name: 'the condition that misses context, and no other branch',
    question: 'doc:1#reader@user:ann',
    tuples: [
      { ...parseTuple('doc:1#viewer@team:a#member'), condition: inOffice() },
      'team:a#member@user:ann',
      'doc:1#viewer@team:b#member',
    ],
    expect: [
      'doc:1#reader@user:ann conditional by exclusion',
      '  doc:1#reader@user:ann conditional by computed',
      '    doc:1#viewer@user:ann conditional by userset doc:1#viewer@team:a#member (in_office missing)',
      '      team:a#member@user:ann allowed by tuple team:a#member@user:ann',
    ],
  },
  {
    name: 'a condition between the object and its parent',
    question: 'doc:1#viewer@user:ann',
    tuples: [{ ...parseTuple('doc:1#parent@folder:1'), condition: inOffice() }, 'folder:1#viewer@user:ann'],
    expect: [
      'doc:1#viewer@user:ann conditional by from doc:1#parent@folder:1 (in_office missing)',
      '  folder:1#viewer@user:ann allowed by tuple folder:1#viewer@user:ann',
    ],
  },
  {
    name: 'a relation that depends on its own negation',
    question: 'loop:1#ok@user:ann',
    tuples: ['loop:1#ok@user:ann', 'loop:1#banned@loop:1#ok'],
    expect: [
      'loop:1#ok@user:ann cycle by exclusion',
      '  loop:1#ok@user:ann allowed by tuple loop:1#ok@user:ann',
      '  loop:1#ok@user:ann cycle by computed',
      '    loop:1#banned@user:ann cycle by userset loop:1#banned@loop:1#ok',
      '      loop:1#ok@user:ann cycle by none',
    ],
  },
  {
    name: 'a cycle that adds nothing',
    question: 'loop:1#a@user:ann',
    tuples: ['loop:1#a@loop:2#b', 'loop:2#b@loop:1#a', 'loop:2#b@loop:3#a'],
    expect: [
      'loop:1#a@user:ann denied by userset loop:1#a@loop:2#b',
      '  loop:2#b@user:ann denied by union',
      '    loop:2#b@user:ann denied by userset loop:2#b@loop:1#a',
      '      loop:1#a@user:ann denied by none',
      '    loop:2#b@user:ann denied by userset loop:2#b@loop:3#a',
      '      loop:3#a@user:ann denied by none',
    ],
  },
];

describe('explanations', () => {
  for (const { name, expect: expected, ...given } of cases) {
    it(name, () => expect(draw(explain(given))).toEqual(expected));
  }

  it('are the same of stored tuples', async () => {
    for (const [place, { expect: expected, ...given }] of cases.entries()) {
      const own = await scratch.engine.createStore(`stored-${place}`);
      await own.writeModel({ dsl: DSL });
      await own.write({ writes: given.tuples.map((tuple) => (typeof tuple === 'string' ? parseTuple(tuple) : tuple)) });
      const told = own.explain({ ...parseTuple(given.question), now: NOW });
      // Tuples come in the order of the index, which is not that of the request.
      expect(draw(told).toSorted()).toEqual(expected.toSorted());
    }
  });
});

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

describe('every parent', () => {
  const ann = 'user:ann';
  let every: Store;

  beforeAll(async () => {
    every = await scratch.engine.createStore('every');
    // The language has no word for it: the model is written in its typed form.
    const prepared = every.prepareModel({ dsl: DSL });
    const json: unknown = JSON.parse(JSON.stringify(prepared.json).replaceAll('"any"', '"all"'));
    await every.writePreparedModel({ dsl: DSL }, { ...prepared, json });
  });

  const parent = (doc: string, folder: string, floor?: number): Tuple => ({
    ...parseTuple(`${doc}#parent@${folder}`),
    condition: inOffice(floor),
  });
  const everyCases: readonly { name: string; given: readonly (string | Tuple)[]; expect: readonly string[] }[] = [
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
  for (const { name, given, expect: expected } of everyCases) {
    it(name, () => {
      const contextualTuples = given.map((tuple) => (typeof tuple === 'string' ? parseTuple(tuple) : tuple));
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
  const refusals: readonly (Case & { code: string })[] = [
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
  for (const { name, code, ...given } of refusals) {
    it(name, () => {
      expect(() => explain(given)).toThrowError(expect.objectContaining({ code }));
      const contextualTuples = given.tuples.map((tuple) => (typeof tuple === 'string' ? parseTuple(tuple) : tuple));
      const check = () => store.check({ ...parseTuple(given.question), contextualTuples, ...given.more });
      expect(check).toThrowError(expect.objectContaining({ code }));
    });
  }

  it('unless another branch allows', () => {
    const told = explain({
      question: 'doc:1#viewer@user:ann',
      tuples: [failing, 'doc:1#editor@user:ann'],
      more: { context: { floor: 'high' } },
    });
    expect(draw(told)).toEqual([
      'doc:1#viewer@user:ann allowed by computed',
      '  doc:1#editor@user:ann allowed by tuple doc:1#editor@user:ann',
    ]);
  });
});
