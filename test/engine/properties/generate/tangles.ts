import fc from 'fast-check';
import type { DirectSubject, Model, RelationDefinition, Rewrite } from '../../../../engine/model/model.ts';
import { formatTuple } from '../../../../engine/tuple.ts';
import { Codons, type Genes, genes } from './codons.ts';
import { conditionDefinition, conditionNames } from './conditions.ts';
import { withEntryPoints } from './entry-points.ts';
import { distinctSubjects, generateParents, textKey } from './generate-model.ts';
import { distinctTuples, generateTuple, NOW, slotsOf } from './generate-tuples.ts';
import { printModel } from './print-model.ts';
import { printScenario, type Scenario } from './scenario.ts';

const RELATIONS = ['r0', 'r1', 'r2', 'r3'] as const;
const IDS_MAX = 6;
/** Lists of genes are half as long as they may be, and what they lack is read as zero. */
const CODONS_PER_RULE = 40;
const CODONS_PER_TUPLE = 20;

type Kind = 'union' | 'intersection' | 'exclusion';
/** Most of them unions, so that a relation which a negation leads back to can be held in some other way. */
const INNER: readonly Kind[] = ['union', 'union', 'union', 'intersection', 'exclusion'];
const OUTER: readonly Kind[] = ['union', 'intersection', 'exclusion', 'exclusion'];

interface TangleGenes {
  readonly shape: Genes;
  readonly rules: readonly Genes[];
  readonly tuples: readonly Genes[];
}

/**
 * One type whose objects are parents and members of one another in every direction, most of their tuples conditional
 * and little context given: nearly every question goes round in cycles that are undecided.
 */
export function tangles(): fc.Arbitrary<Scenario> {
  const rules = fc.array(genes(CODONS_PER_RULE), { minLength: RELATIONS.length, maxLength: RELATIONS.length });
  const tuples = fc.array(genes(CODONS_PER_TUPLE), { minLength: 10, maxLength: 60, size: 'max' });
  return fc.record({ shape: genes(20), rules, tuples }).map((tangleGenes) => {
    const scenario = express(tangleGenes);
    return { ...scenario, [fc.toStringMethod]: () => printScenario(scenario) };
  });
}

function express({ shape: shapeGenes, rules, tuples: lists }: TangleGenes): Scenario {
  const shape = new Codons(shapeGenes);
  const model = generateTangle(shape, rules);
  const slots = slotsOf(model);
  const ids = 2 + shape.below(IDS_MAX - 1);
  const tuples = distinctTuples(
    lists.map((list) => {
      const codons = new Codons(list);
      return generateTuple(codons, codons.pick(slots), ids);
    }),
  );
  const own = tuples.filter((tuple) => formatTuple(tuple).includes('#parent@'));
  return {
    model,
    dsl: printModel(model),
    tuples,
    strays: [],
    strayDsl: '',
    contextualTuples: shape.once(3) ? own.slice(0, 2).map(({ expiresAt: _, ...tuple }) => tuple) : [],
    suspended: [],
    context: shape.pick([{}, {}, { x: 0 }, { y: false }]),
    now: NOW,
    subjects: ['user:1', 'user:2', `doc:1#${shape.pick(RELATIONS)}`],
  };
}

function generateTangle(shape: Codons, rules: readonly Genes[]): Model {
  const parent: RelationDefinition = {
    name: 'parent',
    rewrite: { kind: 'direct' },
    directSubjects: withCondition(shape, { type: 'doc' }),
  };
  const relations = RELATIONS.map((name, i) => generateRelation(new Codons(rules[i] ?? []), name, i));
  const doc = { name: 'doc', relations: new Map([parent, ...relations].map((each) => [each.name, each])) };
  const types = withEntryPoints([doc]);
  const used = new Set(
    types.flatMap(({ relations: all }) =>
      [...all.values()].flatMap(({ directSubjects }) => directSubjects.map(({ condition }) => condition)),
    ),
  );
  return {
    schemaVersion: '1.1',
    types: new Map([{ name: 'user', relations: new Map() }, ...types].map((type) => [type.name, type])),
    conditions: new Map(
      conditionNames.filter((name) => used.has(name)).map((name) => [name, conditionDefinition(name)]),
    ),
  };
}

function generateRelation(codons: Codons, name: string, place: number): RelationDefinition {
  const others = [leaf(codons, place), leaf(codons, place)];
  const inner = combine(codons, INNER, others);
  const rewrite = combine(codons, OUTER, codons.once(2) ? [inner, leaf(codons, place)] : [{ kind: 'direct' }, inner]);
  const isDirect = rewrite.kind === 'exclusion' ? rewrite.base.kind === 'direct' : hasDirect(rewrite);
  const subjects: DirectSubject[] = [
    { type: 'user' },
    ...withCondition(codons, { type: 'doc', relation: codons.pick(RELATIONS) }),
    ...withCondition(codons, { type: 'user' }),
  ];
  return { name, rewrite, directSubjects: isDirect ? distinctSubjects(subjects) : [] };
}

function hasDirect(rewrite: Rewrite): boolean {
  return 'children' in rewrite && rewrite.children.some(({ kind }) => kind === 'direct');
}

function combine(codons: Codons, kinds: readonly Kind[], operands: readonly Rewrite[]): Rewrite {
  const [first, second] = [...new Map(operands.map((each) => [textKey(each), each])).values()];
  if (first === undefined) throw new Error('nothing to combine');
  if (second === undefined) return first;
  const kind = codons.pick(kinds);
  return kind === 'exclusion' ? { kind, base: first, subtract: second } : { kind, children: [first, second] };
}

function leaf(codons: Codons, place: number): Rewrite {
  if (place > 0 && codons.once(3)) return { kind: 'computed', relation: codons.pick(RELATIONS.slice(0, place)) };
  return {
    kind: 'from',
    tupleset: 'parent',
    relation: codons.pick(RELATIONS),
    parents: generateParents(codons, 5),
  };
}

/** The subject with a condition, and sometimes without one as well. */
function withCondition(codons: Codons, subject: DirectSubject): DirectSubject[] {
  const conditional = { ...subject, condition: codons.pick(conditionNames) };
  return codons.once(3) ? [conditional, subject] : [conditional];
}
