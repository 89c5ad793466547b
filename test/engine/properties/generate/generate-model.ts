import fc from 'fast-check';
import type {
  DirectSubject,
  Model,
  Parents,
  RelationDefinition,
  Rewrite,
  TypeDefinition,
} from '../../../../engine/model/model.ts';
import { Codons, type Genes, genes } from './codons.ts';
import { conditionDefinition, conditionNames } from './conditions.ts';
import { withEntryPoints } from './entry-points.ts';
import { printDirect } from './print-model.ts';

const TYPES = ['doc', 'folder', 'team', 'org'] as const;
const RELATIONS = ['r0', 'r1', 'r2', 'r3', 'r4'] as const;
const TUPLESET = 'parent';
const PLAIN = ['union', 'union', 'intersection', 'exclusion'] as const;
const TANGLED = ['union', 'intersection', 'exclusion', 'exclusion'] as const;
/** No cycle of such a model goes through anything but unions, and conditions. */
const UNIONS = ['union'] as const;
const DIRECT: Rewrite = { kind: 'direct' };

/** The names a model has, decided before its rules, which can name any of them. */
interface Outline {
  readonly types: readonly string[];
  readonly relationsOf: ReadonlyMap<string, readonly string[]>;
  /** Few types with many usersets and negations, so that cycles meet. */
  readonly isTangled: boolean;
  /** What joins operands. */
  readonly kinds: typeof PLAIN | typeof TANGLED | typeof UNIONS;
}

/** One type and the place of a relation in it. */
interface Place {
  readonly outline: Outline;
  readonly type: string;
  /** Computed relations only name earlier ones: a cycle without a tuple is an invalid model. */
  readonly earlier: readonly string[];
  readonly parents: readonly string[];
}

/** What a model is made from: a list for each rule, so that one rule can shrink without changing another. */
export interface ModelGenes {
  readonly shape: Genes;
  readonly rules: readonly Genes[];
}

const RULES = TYPES.length * RELATIONS.length;
const CODONS_PER_RULE = 16;

export function modelGenes(): fc.Arbitrary<ModelGenes> {
  const rules = fc.array(genes(CODONS_PER_RULE), { minLength: RULES, maxLength: RULES });
  return fc.record({ shape: genes(24), rules });
}

/**
 * A model of `user` and one to four types, each with a tupleset `parent` and up to five relations over all rewrites.
 * Cycles go through tuples, also through `but not`.
 */
export function generateModel({ rules, ...genes }: ModelGenes): Model {
  const shape = new Codons(genes.shape);
  const draw = shape.below(15);
  const isTangled = draw % 3 === 2;
  const types = TYPES.slice(0, 1 + shape.below(isTangled ? 2 : TYPES.length));
  const relationsOf = new Map(types.map((type) => [type, RELATIONS.slice(0, 1 + shape.below(RELATIONS.length))]));
  const kinds = draw === 0 || draw === 14 ? UNIONS : isTangled ? TANGLED : PLAIN;
  const outline: Outline = { types, relationsOf, isTangled, kinds };
  const ruleOf = (type: number, relation: number) => new Codons(rules[type * RELATIONS.length + relation] ?? []);
  const definitions = withEntryPoints(
    types.map((type, i) => generateType(shape, (relation) => ruleOf(i, relation), outline, type)),
  );
  const used = new Set(
    definitions.flatMap(({ relations }) =>
      [...relations.values()].flatMap(({ directSubjects }) => directSubjects.map(({ condition }) => condition)),
    ),
  );
  return {
    schemaVersion: '1.1',
    types: byName<TypeDefinition>([{ name: 'user', relations: new Map() }, ...definitions]),
    conditions: byName(conditionNames.filter((name) => used.has(name)).map(conditionDefinition)),
  };
}

function generateType(
  shape: Codons,
  rule: (relation: number) => Codons,
  outline: Outline,
  type: string,
): TypeDefinition {
  const parents = [...new Set([shape.pick(outline.types), shape.pick(outline.types)])];
  const tupleset: RelationDefinition = {
    name: TUPLESET,
    rewrite: DIRECT,
    directSubjects: distinctSubjects(parents.map((parent) => withCondition(shape, { type: parent }))),
  };
  const relations = [tupleset];
  const names = outline.relationsOf.get(type) ?? [];
  names.forEach((name, i) => {
    const place: Place = { outline, type, earlier: names.slice(0, i), parents };
    relations.push(generateRelation(rule(i), place, name));
  });
  return { name: type, relations: byName(relations) };
}

function generateRelation(codons: Codons, place: Place, name: string): RelationDefinition {
  const rewrite = generateTop(codons, place);
  return { name, rewrite, directSubjects: hasDirect(rewrite) ? generateDirect(codons, place) : [] };
}

function generateTop(codons: Codons, place: Place): Rewrite {
  switch (codons.below(10)) {
    case 0:
    case 1:
      return DIRECT;
    case 2:
    case 3:
    case 4:
      return combine(codons, place, DIRECT, 2);
    case 5:
      return leaf(codons, place);
    case 6:
      // `([user] or …) and …`: the direct part inside parentheses.
      return combine(codons, place, combine(codons, place, DIRECT, 1), 2);
    default:
      return combine(codons, place, leaf(codons, place), 2);
  }
}

function combine(codons: Codons, place: Place, first: Rewrite, depth: number): Rewrite {
  const operand = () =>
    depth > 1 && codons.once(4) ? combine(codons, place, leaf(codons, place), depth - 1) : leaf(codons, place);
  const kind = codons.pick<(typeof place.outline.kinds)[number]>(place.outline.kinds);
  const operands = [first, operand(), ...(kind !== 'exclusion' && codons.once(4) ? [operand()] : [])];
  // Validators refuse an operand that stands there already.
  const [base = first, subtract, ...rest] = new Map(operands.map((child) => [textKey(child), child])).values();
  if (subtract === undefined) return first;
  return kind === 'exclusion' ? { kind, base, subtract } : { kind, children: [base, subtract, ...rest] };
}

function leaf(codons: Codons, { outline, earlier, parents }: Place): Rewrite {
  const computed = earlier.length > 0 && codons.below(5) < 3;
  if (computed) return { kind: 'computed', relation: codons.pick(earlier) };
  const relation = codons.pick(outline.relationsOf.get(codons.pick(parents)) ?? []);
  const which = outline.kinds === UNIONS ? 'any' : generateParents(codons, 6);
  return { kind: 'from', tupleset: TUPLESET, relation, parents: which };
}

/** Equal where the texts are, which do not say which parents are meant. */
export function textKey(rewrite: Rewrite): string {
  return JSON.stringify(rewrite, (name, value: unknown) => (name === 'parents' ? 'any' : value));
}

/** @param seldom one in how many asks every parent, by turns with and without the conditions of their tuples */
export function generateParents(codons: Codons, seldom: number): Parents {
  return codons.once(seldom) ? codons.pick(['all', 'every_tuple']) : 'any';
}

function generateDirect(codons: Codons, { outline }: Place): DirectSubject[] {
  const subjects: DirectSubject[] = [withCondition(codons, { type: 'user' })];
  const more = codons.below(4) + (outline.isTangled ? 1 : 0);
  for (let i = 0; i < more; i++) subjects.push(withCondition(codons, anySubject(codons, outline)));
  return distinctSubjects(subjects);
}

function anySubject(codons: Codons, { types, relationsOf, isTangled }: Outline): DirectSubject {
  const type = codons.pick(types);
  switch (codons.below(isTangled ? 12 : 6)) {
    case 0:
      return { type: 'user', wildcard: true };
    case 1:
      return { type: codons.pick(['user', type]) };
    case 2:
      return codons.once(3) ? { type, wildcard: true } : { type };
    default:
      return { type, relation: codons.pick(relationsOf.get(type) ?? []) };
  }
}

function withCondition(codons: Codons, subject: DirectSubject): DirectSubject {
  return codons.once(4) ? { ...subject, condition: codons.pick(conditionNames) } : subject;
}

function hasDirect(rewrite: Rewrite): boolean {
  if (rewrite.kind === 'exclusion') return hasDirect(rewrite.base);
  return rewrite.kind === 'direct' || ('children' in rewrite && rewrite.children.some(hasDirect));
}

/** The subjects, each once. */
export function distinctSubjects(subjects: readonly DirectSubject[]): DirectSubject[] {
  return [...new Map(subjects.map((subject) => [printDirect(subject), subject])).values()];
}

function byName<T extends { readonly name: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}
