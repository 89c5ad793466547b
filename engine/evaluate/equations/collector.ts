import type { EveryParentPlan, ExclusionPlan, IntersectionPlan, RelationPlan, Rule } from '../plan/plan.ts';
import { ALLOWED, CONDITIONAL, CYCLE, DENIED, FAILED, type Verdict } from '../verdict.ts';
import type { Collecting, EquationSystem } from '../walk/collecting.ts';
import { decidedVerdict, evaluateNode, evaluateRule } from '../walk/evaluate.ts';
import { NodeMap, VALUE } from '../walk/node-map.ts';
import { forEachParent } from '../walk/parents.ts';
import type { Run } from '../walk/run.ts';
import { evaluateUnion } from '../walk/union.ts';
import { doubtsOf } from './blame.ts';
import { ALWAYS, ANY, Equations, HOLDS, type Input, NEVER, UNDECIDED } from './equations.ts';
import { solve } from './well-founded.ts';

/** A relation of an object, and the gate that stands for it. */
interface Atom {
  readonly gate: number;
  readonly node: number;
  readonly plan: RelationPlan;
  /** The fewest hops from the question at which it is needed. */
  depth: number;
  isExplored: boolean;
}

/**
 * Answers by equations instead of a walk. Each relation of an object becomes a gate once, however many paths lead to it,
 * and its equation is collected by the walk itself, which is told to go no further than one object: where it would ask
 * another one, or join operands, the collector takes down an input in place of an answer. So whatever a tuple is worth
 * to a walk it is worth here.
 *
 * Objects are taken in the order of their distance from the question, so that each has the fewest hops that there are.
 * One collector serves all questions of a run about one subject; what they share is solved once.
 */
export class Collector implements Collecting, EquationSystem {
  isCut = false;
  readonly #run: Run;
  readonly #equations = new Equations();
  readonly #atoms: Atom[] = [];
  readonly #numbers = new NodeMap();
  /** Inputs of the joins that are being collected, the innermost last. */
  readonly #inputs: Input[] = [];
  /** The number of an atom and its depth, by turns: what the equation that is being collected needs. */
  readonly #needs: number[] = [];
  /** Atoms to explore, by depth. */
  readonly #levels: Atom[][] = [];
  readonly #tooDeep: Atom[] = [];

  constructor(run: Run) {
    this.#run = run;
  }

  get size(): number {
    return this.#equations.size;
  }

  decide(ask: () => Verdict): Verdict {
    const run = this.#run;
    run.collecting = this;
    let root: Input;
    try {
      root = this.#formula(ask);
      this.#require();
      this.#explore();
    } finally {
      run.collecting = undefined;
    }
    if (run.depthPassed) this.isCut = true;
    solve(this.#equations, () => run.watch());
    return this.#verdict(root);
  }

  /** Replaces an answer about another object. */
  refer(node: number, plan: RelationPlan, depth: number): Verdict {
    const run = this.#run;
    run.visit();
    const isLeaf = plan.leaf && plan.rule.op === 'union';
    if (isLeaf && depth > run.limits.depthMax) return run.tooDeep();
    if (isLeaf && plan.rule.op === 'union') return evaluateUnion(run, node, plan.rule, depth);
    const decided = decidedVerdict(run, node, plan);
    if (decided !== undefined) return decided;
    const number = this.#numberOf(node, plan);
    this.#needs.push(number, depth);
    this.#inputs.push((this.#atoms[number] as Atom).gate * 2);
    return DENIED;
  }

  /** Replaces joining operands that are decided each on its own. */
  join(node: number, rule: IntersectionPlan | ExclusionPlan | EveryParentPlan, depth: number): Verdict {
    const operand = (part: Rule): Input => this.#formula(() => evaluateRule(this.#run, node, part, depth));
    const needs = this.#needs.length;
    const inputs: Input[] = [];
    switch (rule.op) {
      case 'intersection':
        for (const child of rule.children) if (inputs.at(-1) !== NEVER) inputs.push(operand(child));
        break;
      case 'exclusion':
        inputs.push(operand(rule.base));
        if (inputs[0] !== NEVER) inputs.push(this.#equations.not(operand(rule.subtract)));
        break;
      case 'every_parent':
        inputs.push(...this.#everyParent(node, rule, depth));
    }
    return this.#answer(this.#equations.all(inputs), needs);
  }

  /** Replaces asking behind a tuple that is undecided itself. Its names were added after the first `missing`. */
  behind(weight: Verdict, missing: number, ask: () => Verdict): Verdict {
    const needs = this.#needs.length;
    const doubt = this.#doubt(weight, missing);
    return this.#answer(this.#equations.behind(doubt, this.#formula(ask)), needs);
  }

  /**
   * For each parent: its tuple does not count, or it holds (with `falseDenies`: its tuple counts, and it holds). And
   * one parent holds.
   */
  #everyParent(node: number, rule: EveryParentPlan, depth: number): Input[] {
    const run = this.#run;
    const equations = this.#equations;
    const every: Input[] = [];
    const some: Input[] = [];
    forEachParent(run, node, rule.edge, ({ counts, stands, parent, subjectKind }) => {
      const missing = run.missing.length;
      const { error } = run;
      run.error = undefined;
      const weight = counts();
      const tuple = weight === ALLOWED ? ALWAYS : weight === DENIED ? NEVER : this.#doubt(weight, missing);
      run.forget(missing, error);
      if (tuple === NEVER) {
        if (rule.falseDenies && stands()) every.push(NEVER);
        return every.at(-1) !== NEVER;
      }
      const target = rule.edge.targets[subjectKind];
      const held = target === undefined ? NEVER : this.#formula(() => evaluateNode(run, parent, target, depth + 1));
      const counted = tuple === ALWAYS ? held : equations.behind(tuple, held);
      some.push(counted);
      every.push(tuple === ALWAYS || rule.falseDenies ? counted : equations.any([tuple, held]));
      return every.at(-1) !== NEVER;
    });
    return [...every, equations.any(some)];
  }

  /** What `ask` found, and the inputs that it left, as one. */
  #formula(ask: () => Verdict): Input {
    const inputs = this.#collect(ask);
    return this.#equations.any(inputs);
  }

  /** The operands of a union: what `ask` left as inputs, and its own answer. */
  #collect(ask: () => Verdict): Input[] {
    const run = this.#run;
    const from = this.#inputs.length;
    const needs = this.#needs.length;
    const missing = run.missing.length;
    const { error } = run;
    run.error = undefined;
    const verdict = ask();
    const inputs = this.#inputs.splice(from);
    if (verdict === ALLOWED) this.#needs.length = needs;
    else if (verdict !== DENIED) inputs.push(this.#doubt(verdict, missing));
    run.forget(missing, error);
    return verdict === ALLOWED ? [ALWAYS] : inputs;
  }

  /** Hands an input back to the union that is being walked. A constant needs nothing of what was met on the way. */
  #answer(input: Input, needs: number): Verdict {
    if (input > ALWAYS) this.#inputs.push(input);
    else this.#needs.length = needs;
    return input === ALWAYS ? ALLOWED : DENIED;
  }

  #doubt(verdict: Verdict, missing: number): Input {
    const run = this.#run;
    const names =
      run.missing.length - missing > 1 ? [...new Set(run.missing.slice(missing))] : run.missing.slice(missing);
    return this.#equations.doubt({ missing: names, error: verdict === FAILED ? run.error : undefined });
  }

  #numberOf(node: number, plan: RelationPlan): number {
    const numbers = this.#numbers;
    const slot = numbers.claim(node, plan.kind);
    const known = numbers.words[slot + VALUE] as number;
    if (known > 0) return known - 1;
    const gate = this.#equations.open();
    const count = this.#atoms.push({ gate, node, plan, depth: Number.POSITIVE_INFINITY, isExplored: false });
    numbers.words[slot + VALUE] = count;
    return count - 1;
  }

  #require(): void {
    const needs = this.#needs;
    for (let at = 0; at < needs.length; at += 2) {
      const atom = this.#atoms[needs[at] as number] as Atom;
      const depth = needs[at + 1] as number;
      if (atom.depth <= depth) continue;
      atom.depth = depth;
      if (depth > this.#run.limits.depthMax) {
        this.#tooDeep.push(atom);
        continue;
      }
      const level = this.#levels[depth];
      if (level === undefined) this.#levels[depth] = [atom];
      else level.push(atom);
    }
    needs.length = 0;
  }

  #explore(): void {
    const run = this.#run;
    for (let depth = 0; depth <= run.limits.depthMax; depth++) {
      const level = this.#levels[depth] ?? [];
      // What is reached without a hop joins the level while it is walked.
      for (let at = 0; at < level.length; at++) {
        const atom = level[at] as Atom;
        if (atom.isExplored || atom.depth !== depth) continue;
        atom.isExplored = true;
        const inputs = this.#collect(() => evaluateRule(run, atom.node, atom.plan.rule, depth));
        this.#equations.define(atom.gate, ANY, inputs);
        this.#require();
      }
      level.length = 0;
    }
    this.#cut();
  }

  /** Gates that no shorter path leads to are beyond the depth. */
  #cut(): void {
    const atoms = this.#tooDeep.splice(0).filter((atom) => !atom.isExplored);
    if (atoms.length === 0) return;
    const doubt = this.#collect(() => this.#run.tooDeep());
    for (const atom of atoms) {
      atom.isExplored = true;
      this.#equations.define(atom.gate, ANY, doubt);
    }
  }

  #verdict(root: Input): Verdict {
    if (root <= ALWAYS) return root === ALWAYS ? ALLOWED : DENIED;
    const value = this.#equations.values[root >> 1];
    const isNegated = (root & 1) === 1;
    if (value !== UNDECIDED) return (value === HOLDS) !== isNegated ? ALLOWED : DENIED;
    const run = this.#run;
    const doubts = doubtsOf(this.#equations, root >> 1);
    const error = doubts.find((doubt) => doubt.error !== undefined)?.error;
    for (const { missing } of doubts) run.missing.push(...missing);
    if (error !== undefined) return run.fail(error);
    return doubts.length > 0 ? CONDITIONAL : CYCLE;
  }
}
