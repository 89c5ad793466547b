import type { DirectEdge, ParentEdge, RelationPlan, Rule } from './plan.ts';

/** Is told which tuples and relations of its own object a rule uses. Visits operands, and unions in unions. */
export interface RuleVisitor {
  direct?(edge: DirectEdge): void;
  parents?(edge: ParentEdge): void;
  /** A relation that was merged into a union: what it uses is told as the union's. */
  merged?(kind: number): void;
  /** A relation of the same object that keeps its own identity. Its rule is not visited. */
  reference?(target: RelationPlan): void;
  /** An `and`, a `but not` or `all parents`: one of its operands may not be enough. */
  join?(): void;
}

/** Tells a visitor what a rule uses, with or without what a `but not` takes away. */
export function visitRule(rule: Rule, visitor: RuleVisitor, withSubtracted: boolean): void {
  switch (rule.op) {
    case 'union':
      for (const role of rule.roles) {
        if (role?.direct !== undefined) visitor.direct?.(role.direct);
        for (const edge of role?.parents ?? []) visitor.parents?.(edge);
      }
      for (const kind of rule.merged) visitor.merged?.(kind);
      for (const other of rule.others) visitRule(other, visitor, withSubtracted);
      return;
    case 'reference':
      return visitor.reference?.(rule.target);
    case 'every_parent':
      visitor.join?.();
      return visitor.parents?.(rule.edge);
    case 'intersection':
      visitor.join?.();
      for (const child of rule.children) visitRule(child, visitor, withSubtracted);
      return;
    case 'exclusion':
      visitor.join?.();
      visitRule(rule.base, visitor, withSubtracted);
      if (withSubtracted) visitRule(rule.subtract, visitor, withSubtracted);
  }
}
