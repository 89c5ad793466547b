import fc from 'fast-check';
import type { Model } from '../../../../engine/model/model.ts';
import { formatTuple, type Tuple } from '../../../../engine/tuple.ts';
import { fitsModel } from '../../oracle/edges.ts';
import { Codons, type Genes, genes } from './codons.ts';
import { generateModel, type ModelGenes, modelGenes } from './generate-model.ts';
import { distinctTuples, generateSuspended, generateTuple, redecorate, slotsOf } from './generate-tuples.ts';
import { printModel } from './print-model.ts';
import { printScenario, printTuple, type Scenario, scenarios } from './scenario.ts';

/** One change of a store that already answers questions. */
export type Step =
  | { readonly kind: 'tuples'; readonly writes: readonly Tuple[]; readonly deletes: readonly Tuple[] }
  | { readonly kind: 'suspension'; readonly op: 'suspend_subject' | 'restore_subject'; readonly subject: string }
  | { readonly kind: 'model'; readonly model: Model; readonly dsl: string };

export interface History {
  readonly start: Scenario;
  readonly steps: readonly Step[];
}

interface StepGenes {
  readonly change: Genes;
  readonly model: ModelGenes;
}

export function histories(): fc.Arbitrary<History> {
  const step = fc.record({ change: genes(40), model: modelGenes() });
  const steps = fc.array(step, { minLength: 1, maxLength: 10, size: 'max' });
  return fc.record({ start: scenarios(30), steps }).map(({ start, steps: list }) => {
    const history = { start, steps: expressSteps(start, list) };
    return { ...history, [fc.toStringMethod]: () => printHistory(history) };
  });
}

function expressSteps(start: Scenario, list: readonly StepGenes[]): Step[] {
  const stored = new Map([...start.strays, ...start.tuples].map((tuple) => [formatTuple(tuple), tuple]));
  let { model } = start;
  return list.map((each) => {
    const step = expressStep(each, model, [...stored.values()]);
    if (step.kind === 'model') model = step.model;
    else if (step.kind === 'tuples') applyStep(step, stored);
    return step;
  });
}

/** What a commit does to the tuples of a store. */
export function applyStep(step: Step & { kind: 'tuples' }, stored: Map<string, Tuple>): void {
  for (const tuple of step.deletes) stored.delete(formatTuple(tuple));
  for (const tuple of step.writes) stored.set(formatTuple(tuple), tuple);
}

/** The scenario after a subject was suspended or restored. */
export function applySuspension<T extends Scenario>(step: Step & { kind: 'suspension' }, scenario: T): T {
  const others = scenario.suspended.filter((subject) => subject !== step.subject);
  return { ...scenario, suspended: step.op === 'suspend_subject' ? [...others, step.subject] : others };
}

function printHistory({ start, steps }: History): string {
  return [printScenario(start), ...steps.map(printStep)].join('\n');
}

function printStep(step: Step): string {
  if (step.kind === 'model') return `then ${step.dsl}`;
  if (step.kind === 'suspension') return `then ${step.op} ${step.subject}`;
  return [
    'then',
    ...step.deletes.map((t) => `  - ${formatTuple(t)}`),
    ...step.writes.map((t) => `  + ${printTuple(t)}`),
  ].join('\n');
}

/** The step that the genes mean for a store with this model and these tuples. */
function expressStep(genesOf: StepGenes, model: Model, stored: readonly Tuple[]): Step {
  const gene = new Codons(genesOf.change);
  if (gene.once(8)) {
    const next = generateModel(genesOf.model);
    return { kind: 'model', model: next, dsl: printModel(next) };
  }
  if (gene.once(5)) {
    const op = gene.once(2) ? 'restore_subject' : 'suspend_subject';
    return { kind: 'suspension', op, subject: generateSuspended(gene, model) };
  }
  const slots = slotsOf(model);
  const deletes: Tuple[] = [];
  for (let n = gene.below(4); n > 0; n--) {
    // Sometimes one that is not there, which is no error.
    deletes.push(stored.length > 0 && !gene.once(6) ? gene.pick(stored) : generateTuple(gene, gene.pick(slots), 4));
  }
  const gone = new Set(deletes.map(formatTuple));
  const fitting = stored.filter((tuple) => fitsModel(model, tuple) && !gone.has(formatTuple(tuple)));
  const writes: Tuple[] = [];
  for (let n = gene.below(4); n > 0; n--) {
    const again = fitting.length > 0 && gene.once(3);
    writes.push(again ? redecorate(gene, gene.pick(fitting), slots) : generateTuple(gene, gene.pick(slots), 4));
  }
  return {
    kind: 'tuples',
    writes: distinctTuples(writes).filter((tuple) => !gone.has(formatTuple(tuple))),
    deletes: distinctTuples(deletes),
  };
}
