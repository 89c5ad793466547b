import { type Blame, blames } from './blame.ts';
import { liveEdges, type World } from './edges.ts';
import { type Solution, solve } from './fixpoint.ts';
import { Program } from './program.ts';

/**
 * `cycle` (undefined in the well-founded sense) answers as denied. `missing` is what a conditional verdict may name;
 * where a cycle has it too, whether context could help depends on how far one looks, and both answers are right.
 */
export interface Verdict {
  readonly outcome: 'allowed' | 'denied' | 'cycle' | 'conditional' | 'failed';
  readonly missing: ReadonlySet<string>;
}

interface Solved {
  readonly solution: Solution;
  /** What would hold if all that is unknown turned out well. */
  readonly likely: Solution['sure'];
  readonly blames: ReadonlyMap<number, Blame>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Decides by computing, for one subject at a time, the truth of every object and relation that can matter. Slow, and
 * simple enough to be believed: no order of evaluation, no short-circuit, no depth, no index.
 */
export class Oracle {
  readonly world: World;
  readonly program: Program;
  readonly #solved = new Map<string, Solved>();

  constructor(world: World) {
    this.world = world;
    this.program = new Program(world.model, liveEdges(world));
  }

  /** The model must have the object's type and relation. */
  decide(object: string, relation: string, subject: string): Verdict {
    const atom = this.program.atom(object, relation);
    const { solution, likely, blames } = this.#solve(subject);
    if (solution.sure[atom] === 1) return { outcome: 'allowed', missing: NONE };
    if (solution.possible[atom] === 0) return { outcome: 'denied', missing: NONE };
    const blame = blames.get(atom);
    const missing = blame?.missing ?? NONE;
    if (likely[atom] === 0) return { outcome: 'cycle', missing };
    return { outcome: blame?.failed ? 'failed' : 'conditional', missing };
  }

  #solve(subject: string): Solved {
    const known = this.#solved.get(subject);
    // Atoms made since then are led to by no older one, but need numbers of their own.
    if (known !== undefined && known.likely.length === this.program.atoms.length) return known;
    const solution = solve(this.program, subject, false);
    const likely = solve(this.program, subject, true).sure;
    const solved = { solution, likely, blames: blames(this.program, subject, solution) };
    this.#solved.set(subject, solved);
    return solved;
  }
}
