import type { Model, Rewrite } from '../../../../engine/model/model.ts';
import type { Explanation } from '../../../../engine/requests.ts';
import { type Edge, isWildcard, liveEdges, objectOf, relationOf, typeOf, type World } from '../../oracle/edges.ts';
import { matches } from '../../oracle/fixpoint.ts';

interface Goal {
  readonly object: string;
  readonly relation: string;
  readonly subject: string;
}

/** Checks proofs step by step against a model and the tuples that count. It searches for nothing. */
export class ProofChecker {
  readonly #model: Model;
  readonly #live: readonly Edge[];
  readonly #edges: ReadonlyMap<string, Edge>;

  constructor(world: World) {
    this.#model = world.model;
    this.#live = liveEdges(world);
    const sure = this.#live.filter(({ truth }) => truth.kind === 'true');
    this.#edges = new Map(sure.map((edge) => [`${edge.object}#${edge.relation}@${edge.subject}`, edge]));
  }

  /** Throws at the first node that does not follow from its children, its tuple and the model. */
  check(node: Explanation, goal: Goal): void {
    const question = `${goal.object}#${goal.relation}@${goal.subject}`;
    if (node.question !== question) throw new Error(`the proof of ${question} is about ${node.question}`);
    if (node.rule === 'self' && goal.subject === `${goal.object}#${goal.relation}`) return;
    const rewrite = this.#model.types.get(typeOf(goal.object))?.relations.get(goal.relation)?.rewrite;
    if (rewrite === undefined || !this.#follows(node, goal, rewrite)) {
      throw new Error(`${question} does not follow by ${node.rule} ${node.tuple ?? ''}`);
    }
  }

  #follows(node: Explanation, goal: Goal, rewrite: Rewrite): boolean {
    if (node.outcome !== 'allowed') return false;
    const children = node.children ?? [];
    const [first] = children;
    switch (rewrite.kind) {
      case 'direct':
        return this.#direct(node, goal);
      case 'computed':
        return node.rule === 'computed' && this.#leads(first, { ...goal, relation: rewrite.relation });
      case 'from': {
        if (rewrite.parents !== 'any') return this.#everyParent(node, goal, rewrite);
        const edge = this.#edge(node, goal.object, rewrite.tupleset);
        if (node.rule !== 'from' || edge === undefined) return false;
        return this.#leads(first, { object: edge.subject, relation: rewrite.relation, subject: goal.subject });
      }
      case 'union':
        if (node.rule !== 'union') return rewrite.children.some((operand) => this.#follows(node, goal, operand));
        return children.length > 0 && children.every((child) => this.#operand(child, goal, rewrite.children));
      case 'intersection':
        return (
          node.rule === 'intersection' &&
          rewrite.children.every((operand) => children.some((child) => this.#operand(child, goal, [operand])))
        );
      case 'exclusion':
        // That the right side does not hold is no proof of tuples; the decision itself is compared elsewhere.
        return node.rule === 'exclusion' && first !== undefined && this.#operand(first, goal, [rewrite.base]);
    }
  }

  /** Each tuple that may count, or must, has its own child; one of them does count, and those that must all do. */
  #everyParent(node: Explanation, goal: Goal, rewrite: Extract<Rewrite, { kind: 'from' }>): boolean {
    const children = node.children ?? [];
    const parents = this.#live.filter(({ object, relation, truth }) => {
      const asks = truth.kind !== 'false' || rewrite.parents === 'every_tuple';
      return object === goal.object && relation === rewrite.tupleset && asks;
    });
    const told = parents.filter(({ object, relation, subject }) => {
      const child = children.find(({ tuple }) => tuple === `${object}#${relation}@${subject}`);
      return (
        child?.rule === 'from' &&
        this.#leads(child.children?.[0], { ...goal, object: subject, relation: rewrite.relation })
      );
    });
    const sure = parents.filter(({ truth }) => truth.kind === 'true');
    const counts = rewrite.parents === 'every_tuple' ? sure.length === parents.length : sure.length > 0;
    return node.rule === 'intersection' && parents.length > 0 && counts && told.length === parents.length;
  }

  #operand(child: Explanation, goal: Goal, operands: readonly Rewrite[]): boolean {
    return operands.some((operand) => this.#follows(child, goal, operand));
  }

  #direct(node: Explanation, goal: Goal): boolean {
    const edge = this.#edge(node, goal.object, goal.relation);
    if (edge === undefined) return false;
    if (node.rule === 'tuple') return edge.subject === goal.subject;
    if (node.rule === 'wildcard') return isWildcard(edge.subject) && matches(edge.subject, goal.subject);
    const relation = relationOf(edge.subject);
    if (node.rule !== 'userset' || relation === undefined) return false;
    return this.#leads(node.children?.[0], { object: objectOf(edge.subject), relation, subject: goal.subject });
  }

  /** A child about another object or relation, which has a proof of its own. */
  #leads(child: Explanation | undefined, goal: Goal): boolean {
    // One about something else may still be what another operand of the same rewrite asks.
    if (child?.question !== `${goal.object}#${goal.relation}@${goal.subject}`) return false;
    this.check(child, goal);
    return true;
  }

  #edge(node: Explanation, object: string, relation: string): Edge | undefined {
    const edge = node.tuple === undefined ? undefined : this.#edges.get(node.tuple);
    return edge?.object === object && edge.relation === relation ? edge : undefined;
  }
}

/** The tuples that the allowed nodes of a proof rest on. */
export function proofTuples(node: Explanation): string[] {
  if (node.outcome !== 'allowed') return [];
  return [...(node.tuple === undefined ? [] : [node.tuple]), ...(node.children ?? []).flatMap(proofTuples)];
}

export function hasNegation(node: Explanation): boolean {
  return node.rule === 'exclusion' || (node.children ?? []).some(hasNegation);
}

/** Throws where a node that is not allowed has children which would make it so. */
export function checkRefusal(node: Explanation): void {
  const children = node.children ?? [];
  const allowed = children.filter(({ outcome }) => outcome === 'allowed').length;
  const holds = node.rule === 'intersection' ? children.length > 0 && allowed === children.length : allowed > 0;
  const isBarred = node.rule === 'exclusion' || (node.condition !== undefined && node.condition.result !== 'true');
  if (holds && node.outcome !== 'allowed' && !isBarred) {
    throw new Error(`${node.question} is ${node.outcome} by ${node.rule}, but its children allow it`);
  }
  children.forEach(checkRefusal);
}

/** Far more levels than the tuples of a generated set can be taken through without coming back to the same question. */
const HEIGHT_MAX = 150;

/** Throws where an explanation goes round in a circle. */
export function checkHeight(explanation: Explanation): void {
  const height = (node: Explanation): number => 1 + Math.max(0, ...(node.children ?? []).map(height));
  const found = height(explanation);
  if (found > HEIGHT_MAX) throw new Error(`the explanation of ${explanation.question} is ${found} levels high`);
}
