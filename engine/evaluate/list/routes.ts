import type { ParentEdge, Plan, RelationPlan, Restriction, Rule } from '../plan/plan.ts';
import { countingShapes } from '../plan/shapes.ts';

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

/** What a relation rests on, on its own object, through every operand that is not taken away. */
interface Footing {
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
  const footings = new Map<RelationPlan, Footing>();
  const inner = new Set<RelationPlan>();
  const queue: RelationPlan[] = [target];
  const lead = (next: RelationPlan | undefined): void => {
    if (next === undefined || inner.has(next)) return;
    inner.add(next);
    if (!footings.has(next)) queue.push(next);
  };
  for (let relation = queue.pop(); relation !== undefined; relation = queue.pop()) {
    if (footings.has(relation)) continue;
    const footing = footingOf(relation.rule);
    footings.set(relation, footing);
    for (const kind of footing.direct) for (const userset of usersetsOf(plan, kind)) lead(plan.byKind[userset]);
    for (const edge of footing.parents) for (const parent of edge.targets) lead(parent);
  }
  const direct = new RouteDraft(target);
  const parents = new RouteDraft(target);
  for (const [relation, footing] of footings) {
    const leadsOn = inner.has(relation);
    for (const objectKind of footing.direct) {
      plan.directEdges.get(objectKind)?.allowed.forEach((restriction, subjectKind) => {
        direct.add(subjectKind, objectKind, subjectKind, restriction, relation, leadsOn);
      });
    }
    for (const { tupleset, targets } of footing.parents) {
      targets.forEach((parent, subjectKind) => {
        const restriction = tupleset.allowed[subjectKind];
        if (parent === undefined) return;
        parents.add(parent.kind, tupleset.objectKind, subjectKind, restriction, relation, leadsOn);
      });
    }
  }
  const isPure = [...footings.values()].every((footing) => footing.isPure);
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

function footingOf(rule: Rule): Footing {
  const footing: Footing = { direct: new Set(), parents: new Set(), isPure: true };
  collect(rule, footing, new Set());
  return footing;
}

function collect(rule: Rule, footing: Footing, seen: Set<RelationPlan>): void {
  switch (rule.op) {
    case 'union':
      for (const role of rule.roles) {
        if (role?.direct !== undefined) footing.direct.add(role.direct.objectKind);
        for (const edge of role?.parents ?? []) footing.parents.add(edge);
      }
      for (const other of rule.others) collect(other, footing, seen);
      return;
    case 'reference':
      if (seen.has(rule.target)) return;
      seen.add(rule.target);
      return collect(rule.target.rule, footing, seen);
    case 'every_parent':
      footing.isPure = false;
      footing.parents.add(rule.edge);
      return;
    case 'intersection':
      footing.isPure = false;
      for (const child of rule.children) collect(child, footing, seen);
      return;
    case 'exclusion':
      footing.isPure = false;
      return collect(rule.base, footing, seen);
  }
}

/** Every relation plan merged into, referred to or standing beside another on the same object, itself included. */
export function sameObject(plan: Plan, kind: number): RelationPlan[] {
  const including: RelationPlan[] = [];
  for (const each of plan.byKind) {
    if (each !== undefined && includes(each.rule, kind, new Set([each]))) including.push(each);
  }
  return including;
}

function includes(rule: Rule, kind: number, seen: Set<RelationPlan>): boolean {
  switch (rule.op) {
    case 'union':
      return rule.merged.includes(kind) || rule.others.some((other) => includes(other, kind, seen));
    case 'reference':
      if (rule.target.kind === kind) return true;
      if (seen.has(rule.target)) return false;
      seen.add(rule.target);
      return includes(rule.target.rule, kind, seen);
    case 'intersection':
      return rule.children.some((child) => includes(child, kind, seen));
    case 'exclusion':
      return includes(rule.base, kind, seen);
    case 'every_parent':
      return false;
  }
}
