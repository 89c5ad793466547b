import type { RelationPlan, Restriction, Rule, UnionPlan } from '../plan/plan.ts';
import { ALLOWED, both, DENIED, isDecided, negated, type Verdict } from '../verdict.ts';
import { VALUE } from './node-map.ts';
import { everyParent } from './parents.ts';
import type { Run } from './run.ts';
import { evaluateUnion } from './union.ts';
import type { Doubt } from './weights.ts';

/** What the memo says of a node: nothing yet, that the walk is in the middle of it, a verdict, or which doubt it was. */
const NEW = 0;
const UNFINISHED = 1;
const DECIDED = 2;
const DOUBTS = 16;

/**
 * Does the run's subject have a relation on a node? The walk goes depth first, over each node once, and remembers what
 * it found.
 */
export function evaluateNode(run: Run, node: number, plan: RelationPlan, depth: number): Verdict {
  if (node === run.subject && plan.kind === run.subjectKind) return ALLOWED;
  if (run.collecting !== undefined) return run.collecting.refer(node, plan, depth);
  if (depth > run.limits.depthMax) return run.tooDeep();
  run.visit();
  if (plan.leaf) return evaluateRule(run, node, plan.rule, depth);

  const { memo } = run;
  const slot = memo.claim(node, plan.kind);
  const known = memo.words[slot + VALUE] as number;
  if (known !== NEW) return recall(run, known);
  memo.words[slot + VALUE] = UNFINISHED;
  const missing = run.missing.length;
  const { error } = run;
  run.error = undefined;
  const verdict = evaluateRule(run, node, plan.rule, depth);
  const value = isDecided(verdict) ? DECIDED + verdict : DOUBTS + run.doubts.push(run.doubt(verdict, missing)) - 1;
  memo.words[memo.claim(node, plan.kind) + VALUE] = value;
  run.error = error ?? run.error;
  return verdict;
}

function recall(run: Run, known: number): Verdict {
  if (known === UNFINISHED) return run.closeCycle();
  return known < DOUBTS ? ((known - DECIDED) as Verdict) : run.recall(run.doubts[known - DOUBTS] as Doubt);
}

/** What a walk has decided of a relation; undefined where it has decided nothing. */
export function decidedVerdict(run: Run, node: number, plan: RelationPlan): Verdict | undefined {
  const slot = run.memo.find(node, plan.kind);
  const known = slot < 0 ? NEW : (run.memo.words[slot + VALUE] as number);
  return known >= DECIDED && known < DOUBTS ? ((known - DECIDED) as Verdict) : undefined;
}

/** An answer that is decided leaves no missing names and no error behind, whatever its parts lacked. */
export function evaluateRule(run: Run, node: number, rule: Rule, depth: number): Verdict {
  const missing = run.missing.length;
  const { error } = run;
  const verdict = rule.op === 'union' ? evaluateUnion(run, node, rule, depth) : evaluateOther(run, node, rule, depth);
  if (isDecided(verdict)) run.forget(missing, error);
  return verdict;
}

function evaluateOther(run: Run, node: number, rule: Exclude<Rule, UnionPlan>, depth: number): Verdict {
  if (rule.op === 'reference') return evaluateNode(run, node, rule.target, depth);
  if (run.collecting !== undefined) return run.collecting.join(node, rule, depth);
  switch (rule.op) {
    case 'every_parent':
      return everyParent(run, node, rule, depth);
    case 'intersection': {
      let verdict: Verdict = ALLOWED;
      for (const child of rule.children) {
        verdict = both(verdict, evaluateRule(run, node, child, depth));
        if (verdict === DENIED) return DENIED;
      }
      return verdict;
    }
    case 'exclusion': {
      const base = evaluateRule(run, node, rule.base, depth);
      return base === DENIED ? DENIED : both(base, negated(evaluateRule(run, node, rule.subtract, depth)));
    }
  }
}

/** What a tuple is worth, and whether whoever it names holds: an `and`, where the tuple itself is undecided. */
export function behind(run: Run, weigh: () => Verdict, ask: () => Verdict): Verdict {
  const missing = run.missing.length;
  const { error } = run;
  const weight = weigh();
  let verdict = weight;
  if (weight === ALLOWED) {
    verdict = ask();
  } else if (weight !== DENIED) {
    run.isUnsure = true;
    verdict = run.collecting?.behind(weight, missing, ask) ?? both(weight, ask());
  }
  if (verdict === DENIED) run.forget(missing, error);
  return verdict;
}

/**
 * The same for a stored tuple with a condition or an expiry. A function of its own: each variable that a closure
 * captures costs an allocation in every call.
 */
export function behindTuple(
  run: Run,
  node: number,
  kinds: number,
  other: number,
  restriction: Restriction,
  target: RelationPlan,
  depth: number,
  ask: (run: Run, node: number, target: RelationPlan, depth: number) => Verdict,
): Verdict {
  return behind(
    run,
    () => run.qualified(node, kinds, other, restriction),
    () => ask(run, other, target, depth),
  );
}
