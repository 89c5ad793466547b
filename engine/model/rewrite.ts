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

/** Which operands (counted as `operandsOf` counts them) say what one beside them has said: `a or b or a`. */
export function repeatedOperands(rewrite: Rewrite): number[] {
  const found: number[] = [];
  let index = 0;
  const visit = (node: Rewrite): void => {
    const children = childrenOf(node);
    if (children.length === 0) index += 1;
    const seen = new Set<string>();
    for (const child of children) {
      const text = operandText(child);
      if (text !== undefined && seen.has(text)) found.push(index);
      if (text !== undefined) seen.add(text);
      visit(child);
    }
  };
  visit(rewrite);
  return found;
}

function operandText(rewrite: Rewrite): string | undefined {
  if (rewrite.kind === 'computed') return rewrite.relation;
  return rewrite.kind === 'from' ? `${rewrite.relation} from ${rewrite.parents} ${rewrite.tupleset}` : undefined;
}

export function acceptsDirect(rewrite: Rewrite): boolean {
  return operandsOf(rewrite).some((operand) => operand.kind === 'direct');
}
