import type { Ascent, DirectEdge, RelationPlan } from './plan.ts';

/**
 * For each subject kind, the tuples by which such a subject becomes a member of a flat relation that some tuple can
 * name as a userset. Only these are walked from the subject's side, so that the documents a user may read are never
 * looked at to learn the user's groups.
 */
export function ascentsOf(
  relations: readonly (RelationPlan | undefined)[],
  edges: ReadonlyMap<number, DirectEdge>,
): (Ascent[] | undefined)[] {
  const named = new Set<number>();
  for (const edge of edges.values()) for (const kind of edge.usersetKinds) named.add(kind);
  const reaches = new Map<number, number[]>();
  for (const kind of named) {
    const plan = relations[kind];
    if (plan === undefined || !plan.flat || plan.rule.op !== 'union') continue;
    for (const direct of plan.rule.directKinds) {
      const list = reaches.get(direct);
      if (list === undefined) reaches.set(direct, [kind]);
      else list.push(kind);
    }
  }
  const ascents: (Ascent[] | undefined)[] = [];
  for (const [objectKind, reached] of reaches) {
    const edge = edges.get(objectKind);
    edge?.allowed.forEach((restriction, subjectKind) => {
      if (restriction === undefined) return;
      const list = ascents[subjectKind] ?? [];
      list.push({ objectKind, restriction, reaches: reached });
      ascents[subjectKind] = list;
    });
  }
  return ascents;
}
