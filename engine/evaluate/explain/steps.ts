import type { Rewrite } from '../../model/model.ts';
import type { DirectEdge, RelationPlan } from '../plan/plan.ts';
import { DENIED } from '../verdict.ts';
import type { Evidence, Fact } from './evidence.ts';

/** A relation of an object, asked at some number of hops from the question. */
export interface Atom {
  readonly kind: 'atom';
  readonly node: number;
  readonly plan: RelationPlan;
  readonly depth: number;
}

/** A part of an atom's rewrite that is decided on its own. */
export interface Operand {
  readonly kind: 'operand';
  readonly of: Atom;
  readonly rewrite: Rewrite;
}

/** One parent among all of which every one must hold. */
export interface EachParent {
  readonly kind: 'parent';
  readonly of: Atom;
  readonly step: LinkStep;
  /** Does a tuple whose condition is false deny? Otherwise it is ignored. */
  readonly falseDenies: boolean;
}

export type Goal = Atom | Operand | EachParent;

/** A tuple and what it leads to; nothing where the parent's type lacks the relation. */
export interface LinkStep {
  readonly rule: 'userset' | 'from';
  readonly fact: Fact;
  readonly target: Atom | undefined;
}

/** One way in which a goal can hold. A goal holds by any one of its steps. */
export type Step =
  | { readonly rule: 'self' }
  | { readonly rule: 'tuple' | 'wildcard'; readonly fact: Fact }
  | LinkStep
  | { readonly rule: 'computed'; readonly target: Atom }
  | { readonly rule: 'intersection'; readonly goals: readonly Operand[] }
  | { readonly rule: 'every_parent'; readonly goals: readonly EachParent[] }
  | { readonly rule: 'exclusion'; readonly base: Operand; readonly subtract: Operand };

/**
 * The steps of a goal, those of a single tuple first. Unions, and unions in unions, are flattened: the steps of their
 * operands are the goal's own.
 */
export function* stepsOf(evidence: Evidence, goal: Atom | Operand): Generator<Step> {
  const atom = goal.kind === 'atom' ? goal : goal.of;
  const { node, plan } = atom;
  const { run } = evidence;
  if (goal.kind === 'atom' && node === run.subject && plan.kind === run.subjectKind) yield { rule: 'self' };
  const rewrites = operandsOf(goal.kind === 'atom' ? evidence.definition(plan).rewrite : goal.rewrite);
  const edge = evidence.plan.directEdges.get(plan.kind);
  const isDirect = edge !== undefined && rewrites.some(({ kind }) => kind === 'direct');
  if (isDirect) yield* namedSteps(evidence, node, edge);
  for (const rewrite of rewrites) {
    if (rewrite.kind !== 'direct') yield* rewriteSteps(evidence, atom, rewrite);
  }
  if (isDirect) yield* usersetSteps(evidence, atom, edge);
}

/** The operands of a union and of the unions among them. */
function operandsOf(rewrite: Rewrite): readonly Rewrite[] {
  return rewrite.kind === 'union' ? rewrite.children.flatMap(operandsOf) : [rewrite];
}

function* namedSteps(evidence: Evidence, node: number, edge: DirectEdge): Generator<Step> {
  for (const fact of evidence.named(node, edge)) {
    yield { rule: (fact.kinds & 0x7fff) === evidence.run.subjectKind ? 'tuple' : 'wildcard', fact };
  }
}

function* usersetSteps(evidence: Evidence, atom: Atom, edge: DirectEdge): Generator<Step> {
  if (edge.usersetKinds.length === 0) return;
  const { run } = evidence;
  for (const fact of evidence.facts(atom.node, edge)) {
    const kind = fact.kinds & 0x7fff;
    const plan = evidence.plan.byKind[kind];
    if (plan === undefined || (kind === run.subjectKind && fact.subject === run.subject)) continue;
    yield { rule: 'userset', fact, target: { kind: 'atom', node: fact.subject, plan, depth: atom.depth + 1 } };
  }
}

function* rewriteSteps(evidence: Evidence, atom: Atom, rewrite: Rewrite): Generator<Step> {
  const operand = (part: Rewrite): Operand => ({ kind: 'operand', of: atom, rewrite: part });
  switch (rewrite.kind) {
    case 'computed': {
      const plan = evidence.relation(evidence.typeOf(atom.plan.kind), rewrite.relation);
      if (plan !== undefined) yield { rule: 'computed', target: { ...atom, plan } };
      return;
    }
    case 'from':
      if (rewrite.parents === 'any') {
        for (const step of parentSteps(evidence, atom, rewrite)) if (step.target !== undefined) yield step;
      } else {
        const falseDenies = rewrite.parents === 'every_tuple';
        const goals = [...parentSteps(evidence, atom, rewrite)]
          .filter(({ fact }) => fact.weight !== DENIED || (falseDenies && fact.condition !== undefined))
          .map((step): EachParent => ({ kind: 'parent', of: atom, step, falseDenies }));
        yield { rule: 'every_parent', goals };
      }
      return;
    case 'intersection':
      yield { rule: 'intersection', goals: rewrite.children.map(operand) };
      return;
    case 'exclusion':
      yield { rule: 'exclusion', base: operand(rewrite.base), subtract: operand(rewrite.subtract) };
  }
}

function* parentSteps(
  evidence: Evidence,
  atom: Atom,
  rewrite: Extract<Rewrite, { kind: 'from' }>,
): Generator<LinkStep> {
  const tupleset = evidence.relation(evidence.typeOf(atom.plan.kind), rewrite.tupleset);
  const edge = evidence.plan.directEdges.get(tupleset?.kind ?? 0);
  if (edge === undefined) return;
  for (const fact of evidence.facts(atom.node, edge)) {
    const kind = fact.kinds & 0x7fff;
    const isObject = evidence.relationOf(kind) === '';
    const plan = isObject ? evidence.relation(evidence.typeOf(kind), rewrite.relation) : undefined;
    const target = plan && ({ kind: 'atom', node: fact.subject, plan, depth: atom.depth + 1 } as const);
    yield { rule: 'from', fact, target };
  }
}

/** What must hold for a step to hold, besides its own tuple. */
export function needsOf(step: Step): readonly Goal[] {
  switch (step.rule) {
    case 'computed':
      return [step.target];
    case 'userset':
    case 'from':
      return step.target === undefined ? [] : [step.target];
    case 'intersection':
    case 'every_parent':
      return step.goals;
    case 'exclusion':
      return [step.base];
    default:
      return [];
  }
}
