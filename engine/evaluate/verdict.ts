/**
 * What one step of an evaluation knows. The order is the precedence in a union: what is greater wins.
 *
 * `CYCLE` is the undefined of the well-founded semantics, a relation that depends on its own negation; it answers
 * denied, but `X but not CYCLE` is not allowed. A cycle without a negation on it is plainly `DENIED` (least fixpoint).
 */
export const DENIED = 0;
export const CYCLE = 1;
export const CONDITIONAL = 2;
export const FAILED = 3;
export const ALLOWED = 4;

export type Verdict = 0 | 1 | 2 | 3 | 4;

export function isDecided(verdict: Verdict): boolean {
  return verdict === DENIED || verdict === ALLOWED;
}

/** Allowed beats failed beats conditional beats cycle beats denied. */
export function either(a: Verdict, b: Verdict): Verdict {
  return a > b ? a : b;
}

/** Denied beats failed beats conditional beats cycle beats allowed. */
export function both(a: Verdict, b: Verdict): Verdict {
  if (a === DENIED || b === DENIED) return DENIED;
  if (a === ALLOWED) return b;
  if (b === ALLOWED) return a;
  return a > b ? a : b;
}

/** `but not`: allowed and denied change places, what is undecided stays so. */
export function negated(a: Verdict): Verdict {
  if (a === DENIED) return ALLOWED;
  return a === ALLOWED ? DENIED : a;
}
