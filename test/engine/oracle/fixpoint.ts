import { type EdgeTruth, isWildcard, relationOf, typeOf } from './edges.ts';
import type { Formula, Program } from './program.ts';

/** A set of atoms, by number. */
type AtomSet = Uint8Array<ArrayBuffer>;

/** What holds for one subject: what is `sure` holds, what is not `possible` does not, and the rest is undefined. */
export interface Solution {
  readonly sure: AtomSet;
  readonly possible: AtomSet;
}

/**
 * The well-founded model of the program for one subject, by the alternating fixpoint (Van Gelder 1989). Unknown
 * conditions are taken as they hurt what is sure and help what is possible, or with `hopeful` the other way round: then
 * `sure` is what would hold if every one of them turned out well, and only a cycle through a negation can prevent.
 */
export function solve(program: Program, subject: string, hopeful: boolean): Solution {
  let sure: AtomSet = new Uint8Array(program.atoms.length);
  for (;;) {
    const possible = leastModel(program, subject, sure, !hopeful);
    const next = leastModel(program, subject, possible, hopeful);
    if (next.every((held, atom) => held === sure[atom])) return { sure, possible };
    sure = next;
  }
}

/** The least set of atoms closed under the formulas, where `but not` reads the fixed set `subtracted`. */
function leastModel(program: Program, subject: string, subtracted: AtomSet, hopeful: boolean): AtomSet {
  const held: AtomSet = new Uint8Array(program.atoms.length);
  const last = program.atoms.length - 1;
  let changed = true;
  // Up and down by turns: a chain of rules is followed in one pass, whichever way it was written.
  for (let up = true; changed; up = !up) {
    changed = false;
    for (let i = 0; i <= last; i++) {
      const number = up ? i : last - i;
      const atom = program.atoms[number];
      if (atom === undefined || held[number] === 1) continue;
      const itself = atom.nameable && subject === `${atom.object}#${atom.relation}`;
      if (!itself && !holds(atom.formula, subject, held, subtracted, hopeful)) continue;
      held[number] = 1;
      changed = true;
    }
  }
  return held;
}

/**
 * The truth of a formula under one bound: `hopeful` takes each unknown condition as it helps, else as it hurts. `minus`
 * reads the opposite bound of its right side, which the caller passes as `subtracted`.
 */
export function holds(
  formula: Formula,
  subject: string,
  held: AtomSet,
  subtracted: AtomSet,
  hopeful: boolean,
): boolean {
  switch (formula.kind) {
    case 'leaf':
      return counts(formula.truth, hopeful) && matches(formula.subject, subject);
    case 'step':
      return counts(formula.truth, hopeful) && held[formula.atom] === 1;
    case 'atom':
      return held[formula.atom] === 1;
    case 'or':
      return formula.children.some((child) => holds(child, subject, held, subtracted, hopeful));
    case 'and':
      return formula.children.every((child) => holds(child, subject, held, subtracted, hopeful));
    case 'minus':
      return subtracted[formula.subtract] === 0 && holds(formula.base, subject, held, subtracted, hopeful);
    case 'all':
      return (
        formula.parents.some(({ truth, atom }) => counts(truth, hopeful) && atom !== undefined && held[atom] === 1) &&
        formula.parents.every(({ truth, atom }) => {
          const isHeld = atom !== undefined && held[atom] === 1;
          return formula.falseDenies ? counts(truth, hopeful) && isHeld : !counts(truth, !hopeful) || isHeld;
        })
      );
  }
}

/** Whether a tuple's subject covers the one asked about. Wildcards cover objects of their type, not usersets. */
export function matches(stored: string, asked: string): boolean {
  if (stored === asked) return true;
  return isWildcard(stored) && relationOf(asked) === undefined && typeOf(stored) === typeOf(asked);
}

function counts(truth: EdgeTruth, hopeful: boolean): boolean {
  return truth.kind === 'true' || (hopeful && truth.kind !== 'false');
}
