import { QUALIFIED } from '../../store/edge-key.ts';
import { NodeMap } from '../check/node-map.ts';
import type { Run } from '../check/run.ts';
import { TOO_LONG } from '../graph/arena.ts';
import type { RelationPlan, Restriction } from '../plan/plan.ts';
import { type Route, type Routes, sameObject } from './routes.ts';

/** Objects that name one subject in tuples of one kind: a sorted source of results. */
export interface ObjectSource {
  readonly subject: number;
  readonly subjectKind: number;
  readonly objectKind: number;
  readonly restriction: Restriction;
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
      const place = graph.ascentList(store, node, subjectKind, objectKind);
      return graph.data[place] !== 0 || (overlay?.ofSubject(node).length ?? 0) > 0;
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
      if (route.isResult) this.#sources.push({ ...route, subject });
      if (route.reaches.length > 0) this.#climb(route, subject, level + 1);
      if (this.#run.overlay !== undefined) this.#followOverlay(route, subject, level + 1);
    }
  }

  #climb(route: Route, subject: number, level: number): void {
    this.#each(route, subject, (object, kinds) => {
      if ((kinds & QUALIFIED) !== 0) this.#isExact = false;
      else if (!route.restriction.plain) return;
      for (const relation of route.reaches) this.#reach(object, relation, level);
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

  #each(route: Route, subject: number, visit: (object: number, kinds: number) => void): void {
    const run = this.#run;
    const place = run.graph.ascentList(run.store, subject, route.subjectKind, route.objectKind);
    const { data } = run.graph;
    if (data[place] === TOO_LONG) {
      const plain = (route.objectKind << 16) | route.subjectKind;
      for (const kinds of [plain, plain | QUALIFIED]) {
        run.graph.scanObjects(run.store, subject, kinds, 0, (object) => {
          run.visit();
          visit(object, kinds);
          return true;
        });
      }
      return;
    }
    const end = place + 1 + (data[place] as number);
    for (let at = place + 1; at < end; ) {
      const kinds = data[at] as number;
      const count = data[at + 1] as number;
      at += 2;
      for (let i = 0; i < count; i++, at++) visit((data[at] as number) >>> 0, kinds);
    }
  }
}
