import { QUALIFIED } from '../../store/edge-key.ts';
import { eachObject } from '../graph/each-node.ts';
import { isEmpty } from '../graph/packed-list.ts';
import type { RelationPlan } from '../plan/plan.ts';
import { NodeMap } from '../walk/node-map.ts';
import type { Run } from '../walk/run.ts';
import { type Route, type Routes, sameObject } from './routes.ts';

/** Objects that name one subject in tuples of one kind: a sorted source of results. */
export interface ObjectSource {
  readonly subject: number;
  /** Of the tuples that can count. */
  readonly shapes: readonly number[];
}

/** Where the results of a list of objects stand, and whether each of them must be checked. */
export interface Found {
  readonly sources: readonly ObjectSource[];
  /** Results that no stored tuple gives: from contextual tuples, and the subject's own object. */
  readonly singles: readonly number[];
  readonly isExact: boolean;
}

/**
 * Walks up from the run's subject through usersets and parents to the tuples whose objects have the target relation.
 * The last hop is not walked: its tuples are left as sources, so that a page need not find every result first.
 */
export function ascend(run: Run, routes: Routes): Found {
  return new Ascent(run, routes).walk();
}

interface Step {
  readonly node: number;
  readonly relation: RelationPlan;
  /** Hops from where the walk began. */
  readonly level: number;
}

class Ascent {
  readonly #run: Run;
  readonly #routes: Routes;
  readonly #sources: ObjectSource[] = [];
  readonly #singles: number[] = [];
  readonly #seen = new NodeMap();
  readonly #queue: Step[] = [];
  #isExact: boolean;

  constructor(run: Run, routes: Routes) {
    this.#run = run;
    this.#routes = routes;
    this.#isExact = routes.isPure && run.overlay === undefined;
  }

  walk(): Found {
    const run = this.#run;
    this.#follow(this.#routes.direct.get(run.subjectKind), run.subject, 0);
    if (run.wildcardKind !== 0) this.#follow(this.#routes.direct.get(run.wildcardKind), 0, 0);
    this.#startFromOwnObject();
    for (let at = 0; at < this.#queue.length; at++) {
      const { node, relation, level } = this.#queue[at] as Step; // within its length
      // A node is one hop nearer to the subject than what it leads to.
      if (level > run.limits.depthMax) {
        if (!this.#leadsOn(node, relation)) continue;
        run.tooDeep();
        throw run.error;
      }
      this.#follow(this.#routes.direct.get(relation.kind), node, level);
      this.#follow(this.#routes.parents.get(relation.kind), node, level);
    }
    return { sources: this.#sources, singles: this.#singles, isExact: this.#isExact };
  }

  #leadsOn(node: number, relation: RelationPlan): boolean {
    const { graph, store, overlay } = this.#run;
    const routes = [this.#routes.direct, this.#routes.parents].flatMap((by) => by.get(relation.kind) ?? []);
    return routes.some(({ subjectKind, objectKind }) => {
      const offset = graph.ascentList(store, node, subjectKind, objectKind);
      return !isEmpty(graph.data, offset) || (overlay?.ofSubject(node).length ?? 0) > 0;
    });
  }

  /** A userset has its own relation, and those that include it, on its own object. */
  #startFromOwnObject(): void {
    const run = this.#run;
    const own = run.plan.byKind[run.subjectKind];
    if (own === undefined) return;
    this.#isExact = false;
    for (const relation of [own, ...sameObject(run.plan, own.kind)]) {
      if (relation === this.#routes.target) this.#singles.push(run.subject);
      this.#reach(run.subject, relation, 0);
    }
  }

  #follow(routes: readonly Route[] | undefined, subject: number, level: number): void {
    if (routes === undefined) return;
    for (const route of routes) {
      this.#run.visit();
      if (route.isResult) this.#sources.push({ subject, shapes: route.shapes });
      if (route.reaches.length > 0) this.#climb(route, subject, level + 1);
      if (this.#run.overlay !== undefined) this.#followOverlay(route, subject, level + 1);
    }
  }

  #climb(route: Route, subject: number, level: number): void {
    const run = this.#run;
    const { graph, store } = run;
    eachObject(graph, store, subject, route.shapes, 0, (object, kinds, isKept) => {
      if (!isKept) run.visit();
      if ((kinds & QUALIFIED) !== 0) this.#isExact = false;
      for (const relation of route.reaches) this.#reach(object, relation, level);
      return true;
    });
  }

  #followOverlay(route: Route, subject: number, level: number): void {
    for (const tuple of this.#run.overlay?.ofSubject(subject) ?? []) {
      if (tuple.kinds !== ((route.objectKind << 16) | route.subjectKind)) continue;
      if (route.isResult) this.#singles.push(tuple.object);
      for (const relation of route.reaches) this.#reach(tuple.object, relation, level);
    }
  }

  #reach(node: number, relation: RelationPlan, level: number): void {
    const before = this.#seen.size;
    this.#seen.claim(node, relation.kind);
    if (this.#seen.size > before) this.#queue.push({ node, relation, level });
  }
}
