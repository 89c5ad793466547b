import type { RelationPlan, Rule } from '../plan/plan.ts';
import { ALLOWED, both, CYCLE, DENIED, negated, type Verdict } from '../verdict.ts';
import { PLACE, SCOPE, STATE, VERDICT } from './node-map.ts';
import { everyParent } from './parents.ts';
import type { Run } from './run.ts';
import { evaluateUnion } from './union.ts';

const UNFINISHED = 1;
/** Found for good: independent of how the walk came here. */
const SETTLED = 2;
/** Found in one scope while a node above was unfinished: holds for the rest of that scope. */
const SEEN = 3;
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Does the run's subject have a relation on a node? The walk goes depth first and remembers what it found.
 *
 * Cycles: a node that is met again while it is unfinished adds nothing to its own proof, so that it counts as denied
 * there; met through a negation it is undefined (`CYCLE`). Whatever was found under such an assumption is only `SEEN`:
 * it may be reused within the same scope (where everything is one large union, so that the unfinished node's other
 * branches speak for themselves), and nowhere else. An allowed node is settled always, a denied one when nothing above
 * it was assumed.
 */
export function evaluateNode(run: Run, node: number, plan: RelationPlan, depth: number): Verdict {
  if (node === run.subject && plan.kind === run.subjectKind) return ALLOWED;
  if (run.collecting !== undefined) return run.collecting.refer(node, plan, depth);
  if (depth > run.limits.depthMax) return run.tooDeep();
  run.visit();
  if (plan.leaf && plan.rule.op === 'union') return evaluateUnion(run, node, plan.rule, depth);

  const slot = run.memo.claim(node, plan.kind);
  const known = recall(run, slot);
  if (known >= 0) return known as Verdict;
  const { memo } = run;
  const place = run.stack++;
  memo.words[slot + STATE] = UNFINISHED;
  memo.words[slot + PLACE] = place;
  memo.words[slot + SCOPE] = run.negations;

  const outer = run.lowest;
  const missing = run.missing.length;
  const { error } = run;
  run.lowest = NEVER;
  const verdict = evaluateRule(run, node, plan.rule, depth);
  if (verdict === DENIED || verdict === ALLOWED) run.forget(missing, error);
  const { lowest } = run;
  run.stack = place;

  const after = memo.claim(node, plan.kind);
  const { words } = memo;
  const isSettled = verdict === ALLOWED || (verdict === DENIED && lowest >= place);
  words[after + STATE] = isSettled ? SETTLED : SEEN;
  words[after + VERDICT] = verdict;
  words[after + SCOPE] = run.scope;
  // Whoever reuses it depends on all that was unfinished when it was found: nothing in this scope may settle on it.
  words[after + PLACE] = Math.min(lowest, run.scopeRoot - 1);
  run.lowest = lowest >= place ? outer : Math.min(outer, lowest);
  return verdict;
}

/** What is known of a node, or -1. */
function recall(run: Run, slot: number): number {
  const { words } = run.memo;
  switch (words[slot + STATE]) {
    case SETTLED:
      return words[slot + VERDICT] as number;
    case UNFINISHED:
      run.lowest = Math.min(run.lowest, words[slot + PLACE] as number);
      return words[slot + SCOPE] === run.negations ? DENIED : CYCLE;
    case SEEN: {
      if (words[slot + SCOPE] !== run.scope) {
        run.rewalk();
        return -1;
      }
      run.lowest = Math.min(run.lowest, words[slot + PLACE] as number);
      return words[slot + VERDICT] as number;
    }
    default:
      return -1;
  }
}

/** What was found of a relation for good, undefined where nothing was. */
export function settledVerdict(run: Run, node: number, plan: RelationPlan): Verdict | undefined {
  const slot = run.memo.find(node, plan.kind);
  const { words } = run.memo;
  return slot >= 0 && words[slot + STATE] === SETTLED ? (words[slot + VERDICT] as Verdict) : undefined;
}

export function evaluateRule(run: Run, node: number, rule: Rule, depth: number): Verdict {
  if (rule.op === 'union') return evaluateUnion(run, node, rule, depth);
  if (rule.op === 'reference') return evaluateNode(run, node, rule.target, depth);
  return run.collecting === undefined ? join(run, node, rule, depth) : run.collecting.join(node, rule, depth);
}

/** Operands that are decided each on its own. */
function join(run: Run, node: number, rule: Exclude<Rule, { op: 'union' | 'reference' }>, depth: number): Verdict {
  switch (rule.op) {
    case 'every_parent':
      return inScope(run, 0, () => everyParent(run, node, rule, depth));
    case 'intersection':
      return undoneIfDenied(run, () => {
        let verdict: Verdict = ALLOWED;
        for (const child of rule.children) {
          const held = inScope(run, 0, () => evaluateRule(run, node, child, depth));
          verdict = both(verdict, held);
          if (verdict === DENIED) return DENIED;
        }
        return verdict;
      });
    case 'exclusion':
      return undoneIfDenied(run, () => {
        const base = inScope(run, 0, () => evaluateRule(run, node, rule.base, depth));
        if (base === DENIED) return DENIED;
        return both(base, negated(inScope(run, 1, () => evaluateRule(run, node, rule.subtract, depth))));
      });
  }
}

/**
 * What a tuple is worth, and whether whoever it names holds. Where the tuple itself is undecided this is an `and`: the
 * union above will not hear of what is allowed behind it, so that it must be asked in a scope of its own.
 */
export function behind(run: Run, weigh: () => Verdict, ask: () => Verdict): Verdict {
  return undoneIfDenied(run, () => {
    const missing = run.missing.length;
    const weight = weigh();
    if (weight === DENIED) return DENIED;
    if (weight === ALLOWED) return ask();
    return run.collecting?.behind(weight, missing, ask) ?? both(weight, inScope(run, 0, ask));
  });
}

/** A denied operand leaves no missing names and no error behind. */
function undoneIfDenied(run: Run, operand: () => Verdict): Verdict {
  const missing = run.missing.length;
  const { error } = run;
  const verdict = operand();
  if (verdict === DENIED) run.forget(missing, error);
  return verdict;
}

/**
 * An operand of `and` or `but not` must be decided on its own: what was merely seen outside does not count in it. One
 * that is decided leaves no missing names and no error behind, whatever its own operands lacked.
 */
export function inScope(run: Run, negations: 0 | 1, operand: () => Verdict): Verdict {
  const { scope, scopeRoot, error } = run;
  const missing = run.missing.length;
  run.newScope();
  run.scopeRoot = run.stack;
  run.negations += negations;
  const verdict = operand();
  if (verdict === DENIED || verdict === ALLOWED) run.forget(missing, error);
  run.negations -= negations;
  run.scope = scope;
  run.scopeRoot = scopeRoot;
  return verdict;
}
