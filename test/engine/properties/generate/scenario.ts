import fc from 'fast-check';
import type { Context } from '../../../../engine/condition/condition.ts';
import type { Model, RelationDefinition, TypeDefinition } from '../../../../engine/model/model.ts';
import { formatTuple, type Tuple } from '../../../../engine/tuple.ts';
import type { World } from '../../oracle/edges.ts';
import { Oracle } from '../../oracle/oracle.ts';
import { Codons, type Genes, genes } from './codons.ts';
import { conditionDefinition, conditionNames, plainCondition } from './conditions.ts';
import { distinctSubjects, generateModel, type ModelGenes, modelGenes } from './generate-model.ts';
import {
  distinctTuples,
  generateStray,
  generateSubject,
  generateSuspended,
  generateTuple,
  NOW,
  redecorate,
  type Slot,
  slotsOf,
} from './generate-tuples.ts';
import { printModel } from './print-model.ts';

const CONTEXTS: readonly Context[] = [
  {},
  {},
  { x: 0 },
  { x: 9 },
  { y: true },
  { y: false },
  { x: 0, y: false },
  { x: 9, y: true },
];

/** A store and what is asked of it. */
export interface Scenario {
  readonly model: Model;
  readonly dsl: string;
  readonly tuples: readonly Tuple[];
  /** Tuples that `model` does not allow, and an earlier model that does. */
  readonly strays: readonly Tuple[];
  readonly strayDsl: string;
  readonly contextualTuples: readonly Tuple[];
  readonly suspended: readonly string[];
  readonly context: Context;
  readonly now: number;
  readonly subjects: readonly string[];
}

/** Scenarios with up to `tuplesMax` tuples that the model allows, fewer where some are equal. */
export function scenarios(tuplesMax = 50): fc.Arbitrary<Scenario> {
  return fc
    .record({
      model: modelGenes(),
      tuples: fc.array(genes(9), { maxLength: tuplesMax, size: 'max' }),
      strays: fc.array(genes(10), { maxLength: 6, size: 'max' }),
      contextual: fc.array(genes(10), { maxLength: 4, size: 'max' }),
      subjects: fc.array(genes(5), { minLength: 1, maxLength: 6, size: 'max' }),
      suspended: fc.array(genes(5), { maxLength: 2, size: 'max' }),
      question: genes(12),
    })
    .map((scenarioGenes) => {
      const scenario = express(scenarioGenes);
      return { ...scenario, [fc.toStringMethod]: () => printScenario(scenario) };
    });
}

interface ScenarioGenes {
  readonly model: ModelGenes;
  readonly tuples: readonly Genes[];
  readonly strays: readonly Genes[];
  readonly contextual: readonly Genes[];
  readonly subjects: readonly Genes[];
  readonly suspended: readonly Genes[];
  readonly question: Genes;
}

function express(genes: ScenarioGenes): Scenario {
  const read = (lists: readonly Genes[]) => lists.map((list) => new Codons(list));
  const question = new Codons(genes.question);
  const model = generateModel(genes.model);
  const slots = slotsOf(model);
  const ids = 2 + question.below(3);
  const tuples = distinctTuples(read(genes.tuples).map((codons) => generateTuple(codons, codons.pick(slots), ids)));
  const strays = read(genes.strays)
    .map((codons) => generateStray(codons, model))
    .filter((stray) => stray !== undefined);
  const taken = new Set(tuples.map(formatTuple));
  const kept = strays.filter(({ tuple }) => !taken.has(formatTuple(tuple)));
  const contextual = (codons: Codons): Tuple =>
    tuples.length > 0 && codons.once(2)
      ? redecorate(codons, codons.pick(tuples), slots)
      : generateTuple(codons, codons.pick(slots), ids);
  const context = question.pick(CONTEXTS);
  const hidden = question.once(2) ? tuples.filter(({ subject }) => subject.includes('#')).map(ended) : [];
  return {
    model,
    dsl: printModel(model),
    tuples,
    strays: distinctTuples(kept.map(({ tuple }) => tuple)),
    strayDsl: printModel(strayModel(kept.map(({ slot }) => slot))),
    contextualTuples: distinctTuples([...read(genes.contextual).map(contextual), ...hidden]),
    suspended: [...new Set(read(genes.suspended).map((codons) => generateSuspended(codons, model)))],
    context,
    now: NOW,
    subjects: [...new Set(read(genes.subjects).map((codons) => generateSubject(codons, model)))],
  };
}

/** What stands in the place of a stored tuple and does not hold, whatever its condition says. */
function ended(tuple: Tuple): Tuple {
  return { ...tuple, expiresAt: NOW };
}

/** A model in which every relation is direct and has exactly the places that the slots need. */
function strayModel(slots: readonly Slot[]): Model {
  const types = new Map<string, Map<string, RelationDefinition>>([['user', new Map()]]);
  const relation = (type: string, name: string | undefined, slot?: Slot) => {
    const relations = types.get(type) ?? new Map<string, RelationDefinition>();
    types.set(type, relations);
    if (name === undefined) return;
    const before = relations.get(name)?.directSubjects ?? [{ type: 'user' }];
    const directSubjects = slot === undefined ? before : distinctSubjects([...before, slot.direct]);
    relations.set(name, { name, rewrite: { kind: 'direct' }, directSubjects });
  };
  for (const slot of slots) {
    relation(slot.type, slot.relation, slot);
    relation(slot.direct.type, slot.direct.relation);
  }
  const used = conditionNames.filter((name) => slots.some(({ direct }) => direct.condition === name));
  return {
    schemaVersion: '1.1',
    types: new Map([...types].map(([name, relations]): [string, TypeDefinition] => [name, { name, relations }])),
    conditions: new Map(used.map((name) => [name, conditionDefinition(name)])),
  };
}

/** The oracle of a scenario, with other stored tuples where given. */
export function oracleOf(scenario: Scenario, stored?: readonly Tuple[]): Oracle {
  return new Oracle(worldOf(scenario, stored));
}

export function worldOf(
  scenario: Scenario,
  tuples: readonly Tuple[] = [...scenario.strays, ...scenario.tuples],
): World {
  const { model, contextualTuples, suspended, context, now } = scenario;
  const conditions = new Map(conditionNames.map((name) => [name, plainCondition(name)]));
  return { model, tuples, contextualTuples, suspended, context, now, conditions };
}

/** A scenario as a person reads it, and as a fixture begins. */
export function printScenario(scenario: Scenario): string {
  const list = (name: string, tuples: readonly Tuple[]) =>
    tuples.length === 0 ? [] : [`${name}:`, ...tuples.map((tuple) => `  ${printTuple(tuple)}`)];
  return [
    '',
    scenario.dsl,
    ...list('tuples', scenario.tuples),
    ...list('strays', scenario.strays),
    ...list('contextual', scenario.contextualTuples),
    `context: ${JSON.stringify(scenario.context)}`,
    `suspended: ${scenario.suspended.join(' ')}`,
    `subjects: ${scenario.subjects.join(' ')}`,
  ].join('\n');
}

export function printTuple(tuple: Tuple): string {
  const { condition, expiresAt } = tuple;
  const suffix = [
    ...(condition === undefined ? [] : [`with ${condition.name} ${JSON.stringify(condition.context ?? {})}`]),
    ...(expiresAt === undefined ? [] : [`until now${expiresAt < NOW ? '-' : '+'}${Math.abs(expiresAt - NOW)}`]),
  ];
  return [formatTuple(tuple), ...suffix].join(' ');
}
