import { createHash } from 'node:crypto';
import type { DirectEdge, ParentEdge, PlanShape, RelationPlan, Restriction, Rule } from './plan.ts';

/** Equal for two shapes with the same edges and rules: all else, such as the ascents, follows from these. */
export function shapeDigest({ byKind, directEdges }: Pick<PlanShape, 'byKind' | 'directEdges'>): string {
  const hash = createHash('sha256');
  for (const edge of directEdges.values()) hash.update(`${edgeText(edge)}\n`);
  for (const plan of byKind) if (plan !== undefined) hash.update(`${plan.kind}=${ruleText(plan.rule)}\n`);
  return hash.digest('base64');
}

/** All that an edge says. */
export function edgeText({ objectKind, allowed, usersetKinds }: DirectEdge): string {
  let text = `${objectKind}:${usersetKinds.join()}`;
  allowed.forEach((restriction, kind) => {
    if (restriction !== undefined) text += `|${kind}${restrictionText(restriction)}`;
  });
  return text;
}

function restrictionText({ plain, conditions }: Restriction): string {
  return conditions.size === 0 && plain ? '' : JSON.stringify([plain, ...conditions]);
}

/** A rule names edges by their kinds: the texts of edges stand before all rules. */
function ruleText(rule: Rule): string {
  switch (rule.op) {
    case 'union': {
      const roles = rule.roles.map((role, kind) =>
        role === undefined
          ? ''
          : `${kind}${role.direct === undefined ? '' : 'd'}${role.parents.map(parentText).join('')}`,
      );
      return `u(${roles.join()};${rule.merged.join()};${rule.others.map(ruleText).join()};${rule.directKinds.join()};${rule.parentKinds.join()})`;
    }
    case 'intersection':
      return `i(${rule.children.map(ruleText).join()})`;
    case 'exclusion':
      return `e(${ruleText(rule.base)},${ruleText(rule.subtract)})`;
    case 'every_parent':
      return `p(${parentText(rule.edge)},${rule.falseDenies})`;
    case 'reference':
      return `r(${rule.target.kind})`;
  }
}

function parentText({ tupleset, targets }: ParentEdge): string {
  const asked = targets.map((target: RelationPlan | undefined, kind) =>
    target === undefined ? '' : `${kind}:${target.kind}`,
  );
  return `[${tupleset.objectKind}>${asked.join()}]`;
}
