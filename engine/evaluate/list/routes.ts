import type { ParentEdge, Plan, RelationPlan, Restriction } from '../plan/plan.ts';
import { countingShapes } from '../plan/shapes.ts';
import { type RuleVisitor, visitRule } from '../plan/visit-rule.ts';

/**
 * How a subject can come to have one relation, read backwards from the model: which tuples lead to it, and from which
 * other relations. Operands that are taken away (`but not`) lead nowhere; the operands of an intersection all lead.
 */
export interface Routes {
  readonly target: RelationPlan;
  /** Every object found is a result: no operand takes any away. */
  readonly isPure: boolean;
  /** By subject kind: tuples that make such a subject have a relevant relation of their object. */
  readonly direct: ReadonlyMap<number, readonly Route[]>;
  /** By kind of a relevant relation: tuples in which its object stands as a parent. */
  readonly parents: ReadonlyMap<number, readonly Route[]>;
}

export interface Route {
  readonly objectKind: number;
  /** The subject kind of the tuple: that of the subject, the userset or the parent's type. */
  readonly subjectKind: number;
  /** The shapes of the tuples that can count. */
  readonly shapes: readonly number[];
  /** Relations of the tuple's object that are then held, and lead on. */
  readonly reaches: readonly RelationPlan[];
  /** The tuple's object is a result. */
  readonly isResult: boolean;
}

/** The tuples of its own object that a relation uses, through every operand that is not taken away. */
interface Sources {
  readonly direct: Set<number>;
  readonly parents: Set<ParentEdge>;
  isPure: boolean;
}

const cache = new WeakMap<Plan, Map<number, Routes>>();

export function routesTo(plan: Plan, target: RelationPlan): Routes {
  let known = cache.get(plan);
  if (known === undefined) {
    known = new Map();
    cache.set(plan, known);
  }
  let routes = known.get(target.kind);
  if (routes === undefined) {
    routes = findRoutes(plan, target);
    known.set(target.kind, routes);
  }
  return routes;
}

function findRoutes(plan: Plan, target: RelationPlan): Routes {
  const found = new Map<RelationPlan, Sources>();
  const inner = new Set<RelationPlan>();
  const queue: RelationPlan[] = [target];
  const lead = (next: RelationPlan | undefined): void => {
    if (next === undefined || inner.has(next)) return;
    inner.add(next);
    if (!found.has(next)) queue.push(next);
  };
  for (let relation = queue.pop(); relation !== undefined; relation = queue.pop()) {
    if (found.has(relation)) continue;
    const sources = sourcesOf(relation);
    found.set(relation, sources);
    for (const kind of sources.direct) for (const userset of usersetsOf(plan, kind)) lead(plan.byKind[userset]);
    for (const edge of sources.parents) for (const parent of edge.targets) lead(parent);
  }
  const direct = new RouteDraft(target);
  const parents = new RouteDraft(target);
  for (const [relation, sources] of found) {
    const leadsOn = inner.has(relation);
    for (const objectKind of sources.direct) {
      plan.directEdges.get(objectKind)?.allowed.forEach((restriction, subjectKind) => {
        direct.add(subjectKind, objectKind, subjectKind, restriction, relation, leadsOn);
      });
    }
    for (const { tupleset, targets } of sources.parents) {
      targets.forEach((parent, subjectKind) => {
        const restriction = tupleset.allowed[subjectKind];
        if (parent === undefined) return;
        parents.add(parent.kind, tupleset.objectKind, subjectKind, restriction, relation, leadsOn);
      });
    }
  }
  const isPure = [...found.values()].every((sources) => sources.isPure);
  return { target, isPure, direct: direct.routes(), parents: parents.routes() };
}

class RouteDraft {
  readonly #target: RelationPlan;
  readonly #routes = new Map<number, Map<number, Route & { reaches: RelationPlan[]; isResult: boolean }>>();

  constructor(target: RelationPlan) {
    this.#target = target;
  }

  add(
    from: number,
    objectKind: number,
    subjectKind: number,
    restriction: Restriction | undefined,
    relation: RelationPlan,
    leadsOn: boolean,
  ): void {
    if (restriction === undefined) return;
    const routes = this.#routes.get(from) ?? new Map<number, Route & { reaches: RelationPlan[]; isResult: boolean }>();
    this.#routes.set(from, routes);
    const key = objectKind * 0x10000 + subjectKind;
    const shapes = countingShapes(objectKind, subjectKind, restriction);
    const route = routes.get(key) ?? { objectKind, subjectKind, shapes, reaches: [], isResult: false };
    routes.set(key, route);
    if (leadsOn) route.reaches.push(relation);
    if (relation === this.#target) route.isResult = true;
  }

  routes(): Map<number, Route[]> {
    return new Map([...this.#routes].map(([from, routes]) => [from, [...routes.values()]]));
  }
}

function usersetsOf(plan: Plan, objectKind: number): readonly number[] {
  return plan.directEdges.get(objectKind)?.usersetKinds ?? [];
}

function sourcesOf({ rule }: RelationPlan): Sources {
  const sources: Sources = { direct: new Set(), parents: new Set(), isPure: true };
  const seen = new Set<RelationPlan>();
  const visitor: RuleVisitor = {
    direct: (edge) => sources.direct.add(edge.objectKind),
    parents: (edge) => sources.parents.add(edge),
    join: () => {
      sources.isPure = false;
    },
    reference: (target) => {
      if (seen.has(target)) return;
      seen.add(target);
      visitRule(target.rule, visitor, false);
    },
  };
  visitRule(rule, visitor, false);
  return sources;
}

/** The relation plans of the same object that include a relation, itself among them. */
export function sameObject(plan: Plan, kind: number): RelationPlan[] {
  return plan.byKind.filter((each) => each !== undefined && includedKinds(each).has(kind)) as RelationPlan[]; // defined ones
}

/** The kinds of the relations of the same object that a relation includes. */
function includedKinds(relation: RelationPlan): Set<number> {
  const kinds = new Set<number>();
  const visitor: RuleVisitor = {
    merged: (kind) => kinds.add(kind),
    reference: (target) => {
      if (kinds.has(target.kind)) return;
      kinds.add(target.kind);
      visitRule(target.rule, visitor, false);
    },
  };
  visitRule(relation.rule, visitor, false);
  return kinds;
}
