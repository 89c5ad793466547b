import { QUALIFIED } from '../../store/edge-key.ts';
import { eachSubject } from '../graph/each-node.ts';
import type { DirectEdge, ParentEdge, RelationPlan, Rule } from '../plan/plan.ts';
import { countingShapes } from '../plan/shapes.ts';
import { type RuleVisitor, visitRule } from '../plan/visit-rule.ts';
import { DENIED } from '../verdict.ts';
import { NodeMap } from '../walk/node-map.ts';
import type { OverlayTuple } from '../walk/overlay.ts';
import type { Run } from '../walk/run.ts';
import { isCounted } from './namings.ts';

/** Subjects of one kind that one object names in one relation: a sorted source of candidates. */
export interface SubjectSource {
  readonly object: number;
  readonly kinds: number;
}

export interface Reached {
  readonly sources: readonly SubjectSource[];
  /** Candidates that no stored list gives: contextual ones, and reached nodes where usersets are asked for. */
  readonly singles: readonly number[];
  /** Every candidate holds: unions of unconditional tuples all the way. */
  readonly isExact: boolean;
}

/**
 * Walks down from an object, over tuples that count or are undecided, to all tuples that could name a subject of the
 * wanted kinds. It goes through subtracted operands too: an exception of an exclusion may be named only there.
 */
export function descend(run: Run, object: number, relation: RelationPlan, wanted: ReadonlySet<number>): Reached {
  return new Descent(run, wanted).walk(object, relation);
}

interface Step {
  readonly node: number;
  readonly relation: RelationPlan;
  /** Hops from where the walk began. */
  readonly level: number;
}

class Descent {
  readonly #run: Run;
  readonly #wanted: ReadonlySet<number>;
  readonly #sources: SubjectSource[] = [];
  readonly #singles: number[] = [];
  readonly #seen = new NodeMap();
  readonly #queue: Step[] = [];
  #isExact: boolean;

  constructor(run: Run, wanted: ReadonlySet<number>) {
    this.#run = run;
    this.#wanted = wanted;
    this.#isExact = run.overlay === undefined;
  }

  walk(object: number, relation: RelationPlan): Reached {
    this.#reach(object, relation, 0);
    for (let at = 0; at < this.#queue.length; at++) {
      const { node, relation: each, level } = this.#queue[at] as Step; // within its length
      if (level > this.#run.limits.depthMax) {
        this.#run.tooDeep();
        throw this.#run.error;
      }
      this.#run.visit();
      this.#rule(node, each.rule, level);
    }
    return { sources: this.#sources, singles: this.#singles, isExact: this.#isExact };
  }

  #reach(node: number, relation: RelationPlan, level: number): void {
    const before = this.#seen.size;
    this.#seen.claim(node, relation.kind);
    if (this.#seen.size === before) return;
    this.#queue.push({ node, relation, level });
    if (this.#wanted.has(relation.kind)) {
      this.#singles.push(node);
      this.#isExact = false;
    }
  }

  #rule(node: number, rule: Rule, level: number): void {
    const visitor: RuleVisitor = {
      direct: (edge) => this.#direct(node, edge, level),
      parents: (edge) => this.#parents(node, edge, level),
      merged: (kind) => this.#mergedUserset(node, kind),
      reference: (target) => this.#reach(node, target, level),
      join: () => {
        this.#isExact = false;
      },
    };
    visitRule(rule, visitor, true);
  }

  #mergedUserset(node: number, kind: number): void {
    if (!this.#wanted.has(kind)) return;
    this.#singles.push(node);
    this.#isExact = false;
  }

  #direct(node: number, edge: DirectEdge, level: number): void {
    edge.allowed.forEach((restriction, subjectKind) => {
      if (restriction === undefined) return;
      const shapes = countingShapes(edge.objectKind, subjectKind, restriction);
      const userset = this.#run.plan.byKind[subjectKind];
      if (this.#wanted.has(subjectKind)) {
        for (const kinds of shapes) this.#sources.push({ object: node, kinds });
      }
      if (userset !== undefined) this.#follow(node, shapes, userset, level);
    });
    for (const tuple of this.#run.overlay?.ofObject(node) ?? []) {
      if (tuple.kinds >>> 16 !== edge.objectKind || !isContextCounted(this.#run, tuple, edge)) continue;
      const subjectKind = tuple.kinds & 0x7fff;
      if (this.#wanted.has(subjectKind)) this.#singles.push(tuple.subject);
      const userset = this.#run.plan.byKind[subjectKind];
      if (userset !== undefined) this.#reach(tuple.subject, userset, level + 1);
    }
  }

  #parents(node: number, edge: ParentEdge, level: number): void {
    const { objectKind, allowed } = edge.tupleset;
    edge.targets.forEach((target, subjectKind) => {
      const restriction = allowed[subjectKind];
      if (target === undefined || restriction === undefined) return;
      this.#follow(node, countingShapes(objectKind, subjectKind, restriction), target, level);
    });
    for (const tuple of this.#run.overlay?.ofObject(node) ?? []) {
      const target = edge.targets[tuple.kinds & 0x7fff];
      if (tuple.kinds >>> 16 !== objectKind || target === undefined) continue;
      if (isContextCounted(this.#run, tuple, edge.tupleset)) this.#reach(tuple.subject, target, level + 1);
    }
  }

  #follow(node: number, shapes: readonly number[], target: RelationPlan, level: number): void {
    const { graph, store, overlay } = this.#run;
    for (const kinds of shapes) {
      const source = { object: node, kinds };
      const isSure = (kinds & QUALIFIED) === 0 && overlay === undefined;
      eachSubject(graph, store, node, kinds, 0, (subject) => {
        if (!isSure) this.#isExact = false;
        this.#run.visit();
        if (isSure || isCounted(this.#run, source, subject)) this.#reach(subject, target, level + 1);
        return true;
      });
    }
  }
}

/** Is a contextual tuple worth something, or undecided? */
function isContextCounted(run: Run, { kinds, qualifier }: OverlayTuple, edge: DirectEdge): boolean {
  const restriction = edge.allowed[kinds & 0x7fff];
  if (restriction === undefined || qualifier === undefined) return restriction?.plain ?? false;
  const { error } = run;
  const missing = run.missing.length;
  const weight = run.weigh(qualifier, restriction);
  run.forget(missing, error);
  return weight !== DENIED;
}
