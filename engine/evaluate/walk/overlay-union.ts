import type { UnionPlan } from '../plan/plan.ts';
import { ALLOWED, DENIED, either, type Verdict } from '../verdict.ts';
import { behind, evaluateNode } from './evaluate.ts';
import type { Run } from './run.ts';
import { member } from './union.ts';

/** The part of a union that contextual tuples answer. */
export function unionOfOverlay(run: Run, node: number, plan: UnionPlan, depth: number): Verdict {
  let verdict: Verdict = DENIED;
  for (const tuple of run.overlay?.ofObject(node) ?? []) {
    const role = plan.roles[tuple.kinds >>> 16];
    if (role === undefined) continue;
    const subjectKind = tuple.kinds & 0x7fff;
    const { qualifier, subject } = tuple;
    const weigh = (restriction: Parameters<Run['weigh']>[1]): Verdict => {
      if (qualifier === undefined) return restriction.plain ? ALLOWED : DENIED;
      return run.weigh(qualifier, restriction);
    };
    const restriction = role.direct?.allowed[subjectKind];
    if (restriction !== undefined) {
      const isMatch = subjectKind === run.subjectKind ? subject === run.subject : subjectKind === run.wildcardKind;
      const userset = run.plan.byKind[subjectKind];
      const ask = (): Verdict => (userset === undefined ? DENIED : member(run, subject, userset, depth + 1));
      verdict = either(verdict, isMatch ? weigh(restriction) : behind(run, () => weigh(restriction), ask));
    }
    for (const edge of role.parents) {
      const target = edge.targets[subjectKind];
      const allowed = edge.tupleset.allowed[subjectKind];
      if (target === undefined || allowed === undefined) continue;
      const ask = (): Verdict => evaluateNode(run, subject, target, depth + 1);
      verdict = either(
        verdict,
        behind(run, () => weigh(allowed), ask),
      );
    }
    if (verdict === ALLOWED) return ALLOWED;
  }
  return verdict;
}
