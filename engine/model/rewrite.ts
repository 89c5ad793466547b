import type { Rewrite } from './model.ts';

export type Operand = Extract<Rewrite, { kind: 'direct' | 'computed' | 'from' }>;

/** The rewrites directly below one. */
export function childrenOf(rewrite: Rewrite): readonly Rewrite[] {
  switch (rewrite.kind) {
    case 'union':
    case 'intersection':
      return rewrite.children;
    case 'exclusion':
      return [rewrite.base, rewrite.subtract];
    default:
      return [];
  }
}

/** The operands of a rewrite from left to right, all levels together: the order in which its text names them. */
export function operandsOf(rewrite: Rewrite): Operand[] {
  switch (rewrite.kind) {
    case 'direct':
    case 'computed':
    case 'from':
      return [rewrite];
    default:
      return childrenOf(rewrite).flatMap(operandsOf);
  }
}

export function acceptsDirect(rewrite: Rewrite): boolean {
  return operandsOf(rewrite).some((operand) => operand.kind === 'direct');
}
