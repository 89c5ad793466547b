import { type Blame, blames } from './blame.ts';
import { isWildcard, knownObjects, liveEdges, relationOf, typeOf, type World } from './edges.ts';
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
  /** The tuples that name an object or a wildcard as their subject. */
  readonly #naming = new Map<string, string>();

  constructor(world: World) {
    this.world = world;
    const edges = liveEdges(world);
    this.program = new Program(world.model, edges);
    // All atoms at once: whatever is solved before an atom is made has to be solved again with it.
    for (const { name, relations } of world.model.types.values()) {
      for (const object of knownObjects(world, name)) {
        for (const relation of relations.keys()) this.program.atom(object, relation);
      }
    }
    for (const { object, relation, subject, truth } of edges) {
      const before = this.#naming.get(subject) ?? '';
      this.#naming.set(subject, `${before} ${object}#${relation} ${JSON.stringify(truth)}`);
    }
  }

  /** The model must have the object's type and relation. */
  decide(object: string, relation: string, subject: string): Verdict {
    if (this.world.suspended?.includes(subject)) return { outcome: 'denied', missing: NONE };
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
    // An atom made since then needs a number of its own, though none of the older ones leads to it.
    const isCurrent = (solved: Solved | undefined) => solved?.likely.length === this.program.atoms.length;
    if (known !== undefined && isCurrent(known)) return known;
    const likeness = this.#likeness(subject);
    const alike = this.#solved.get(likeness);
    const solved = alike !== undefined && isCurrent(alike) ? alike : this.#solveAnew(subject);
    this.#solved.set(subject, solved);
    this.#solved.set(likeness, solved);
    return solved;
  }

  /** Subjects that the same tuples name differ in nothing, and are decided once. */
  #likeness(subject: string): string {
    if (relationOf(subject) !== undefined || isWildcard(subject)) return subject;
    return `${typeOf(subject)}${this.#naming.get(subject) ?? ''}`;
  }

  #solveAnew(subject: string): Solved {
    const solution = solve(this.program, subject, false);
    const likely = solve(this.program, subject, true).sure;
    return { solution, likely, blames: blames(this.program, subject, solution) };
  }
}
