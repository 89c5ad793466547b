import type { EdgeTruth } from './edges.ts';
import { holds, matches, type Solution } from './fixpoint.ts';
import type { Formula, Program } from './program.ts';

/** Why an atom is undecided: conditions that failed, context that is missing, and with neither a cycle. */
export interface Blame {
  failed: boolean;
  readonly missing: Set<string>;
}

/**
 * For every atom that is possible but not sure, what its uncertainty rests on: the unknown and failed conditions that
 * can be reached from it through what is undecided itself.
 */
export function blames(program: Program, subject: string, solution: Solution): Map<number, Blame> {
  const found = new Map<number, Blame>();
  program.atoms.forEach((_, number) => {
    if (undecided(number, solution)) found.set(number, { failed: false, missing: new Set() });
  });
  const tracer = { subject, solution, found };
  for (let changed = true; changed; ) {
    changed = false;
    for (const [number, blame] of found) {
      const before = weight(blame);
      const formula = program.atoms[number]?.formula;
      if (formula !== undefined) trace(formula, blame, tracer);
      if (weight(blame) !== before) changed = true;
    }
  }
  return found;
}

interface Tracer {
  readonly subject: string;
  readonly solution: Solution;
  readonly found: ReadonlyMap<number, Blame>;
}

function trace(formula: Formula, into: Blame, tracer: Tracer): void {
  const { subject, solution } = tracer;
  if (holds(formula, subject, solution.sure, solution.possible, false)) return;
  if (!holds(formula, subject, solution.possible, solution.sure, true)) return;
  switch (formula.kind) {
    case 'leaf':
      if (matches(formula.subject, subject)) blameTruth(formula.truth, into);
      return;
    case 'step':
      blameTruth(formula.truth, into);
      blameAtom(formula.atom, into, tracer);
      return;
    case 'atom':
      blameAtom(formula.atom, into, tracer);
      return;
    case 'or':
    case 'and':
      for (const child of formula.children) trace(child, into, tracer);
      return;
    case 'minus':
      trace(formula.base, into, tracer);
      blameAtom(formula.subtract, into, tracer);
      return;
    case 'all':
      for (const parent of formula.parents) {
        blameTruth(parent.truth, into);
        if (parent.atom !== undefined) blameAtom(parent.atom, into, tracer);
      }
  }
}

function blameTruth(truth: EdgeTruth, into: Blame): void {
  if (truth.kind === 'failed') into.failed = true;
  if (truth.kind === 'unknown') for (const name of truth.names) into.missing.add(name);
}

function blameAtom(atom: number, into: Blame, tracer: Tracer): void {
  const blame = tracer.found.get(atom);
  if (blame === undefined) return;
  if (blame.failed) into.failed = true;
  for (const name of blame.missing) into.missing.add(name);
}

function undecided(atom: number, solution: Solution): boolean {
  return solution.possible[atom] === 1 && solution.sure[atom] === 0;
}

function weight(blame: Blame): number {
  return blame.missing.size * 2 + (blame.failed ? 1 : 0);
}
