import type { Model, RelationDefinition } from '../../model/model.ts';
import type { Explanation, Question } from '../../requests.ts';
import { nodeName } from '../../store/catalog.ts';
import type { Qualifier } from '../../store/change-log.ts';
import { QUALIFIED, WILDCARD_NODE } from '../../store/edge-key.ts';
import { firstGroup, firstNode, isTooLong, kindsOf, listEnd, nextGroup, nodeAt } from '../graph/packed-list.ts';
import type { DirectEdge, Plan, RelationPlan } from '../plan/plan.ts';
import { shapesOf } from '../plan/shapes.ts';
import { Resolver } from '../question.ts';
import type { Reader, View } from '../reader.ts';
import { ALLOWED, CONDITIONAL, DENIED, type Verdict } from '../verdict.ts';
import type { Run } from '../walk/run.ts';

const CHUNK = 256;

/** A stored or contextual tuple that the model allows, and what it is worth to this question. */
export interface Fact {
  readonly object: number;
  /** `object kind << 16 | subject kind`, without the qualified bit. */
  readonly kinds: number;
  readonly subject: number;
  /** Denied where it has expired or its condition does not hold. */
  readonly weight: Verdict;
  readonly condition: Explanation['condition'];
}

/** What decides a question, in names: the tuples of an object that the model allows, and texts for nodes. */
export class Evidence {
  readonly run: Run;
  readonly plan: Plan;
  readonly resolver: Resolver;
  readonly model: Model;
  readonly #view: View;
  /** The subject that is asked about, as the caller wrote it. */
  #subject = '';

  constructor(reader: Reader, view: View, plan: Plan, question: Question) {
    this.run = reader.checker.prepare(view, plan, question);
    this.plan = plan;
    this.model = reader.model(view, plan.modelId).model;
    this.#view = view;
    this.resolver = new Resolver(view, plan);
    this.run.overlay = this.resolver.overlay(question.contextualTuples, reader.limits.contextualTuplesMax);
  }

  /** Sets the subject that is asked about. Throws as a check does. */
  aim(subject: string): void {
    this.resolver.aim(this.run, subject);
    this.#subject = subject;
  }

  /** The object and the relation that are asked about. Throws as a check does. */
  target(object: string, relation: string): { readonly node: number; readonly plan: RelationPlan } {
    return { plan: this.resolver.target(object, relation), node: this.resolver.object(object) };
  }

  relation(type: string, relation: string): RelationPlan | undefined {
    return this.plan.types.get(type)?.relations.get(relation);
  }

  definition(plan: RelationPlan): RelationDefinition {
    return this.model.types
      .get(this.typeOf(plan.kind))
      ?.relations.get(this.relationOf(plan.kind)) as RelationDefinition; // plans come from it
  }

  typeOf(kind: number): string {
    return this.#view.kinds.type(kind);
  }

  /** Empty for an object, `*` for a wildcard. */
  relationOf(kind: number): string {
    return this.#view.kinds.relation(kind);
  }

  nameOf(node: number): string {
    return this.resolver.unknownName(node) ?? nodeName(this.#view.tables, this.#view.number, node);
  }

  question(node: number, plan: RelationPlan): string {
    return `${this.nameOf(node)}#${this.relationOf(plan.kind)}@${this.#subject}`;
  }

  subjectOf(fact: Fact): string {
    const kind = fact.kinds & 0x7fff;
    const relation = this.relationOf(kind);
    if (relation === '*') return `${this.typeOf(kind)}:*`;
    return relation === '' ? this.nameOf(fact.subject) : `${this.nameOf(fact.subject)}#${relation}`;
  }

  tupleOf(fact: Fact): string {
    return `${this.nameOf(fact.object)}#${this.relationOf(fact.kinds >>> 16)}@${this.subjectOf(fact)}`;
  }

  /** The tuples that name the subject itself or its wildcard. */
  *named(object: number, edge: DirectEdge): Generator<Fact> {
    const { run } = this;
    const wanted: [kind: number, subject: number][] = [[run.subjectKind, run.subject]];
    if (run.wildcardKind !== 0) wanted.push([run.wildcardKind, WILDCARD_NODE]);
    for (const [kind, subject] of wanted) {
      const [plain, qualified] = shapesOf(edge.objectKind, kind);
      const contextual = run.overlay?.ofObject(object).find((each) => each.kinds === plain && each.subject === subject);
      if (contextual !== undefined) yield* this.#fact(object, plain, subject, contextual.qualifier, edge);
      else if (run.graph.has(run.store, object, plain, subject))
        yield* this.#fact(object, plain, subject, undefined, edge);
      else yield* this.#stored(object, qualified, subject, edge);
    }
  }

  /** Every tuple of one relation of an object; contextual ones first. */
  *facts(object: number, edge: DirectEdge): Generator<Fact> {
    const { run } = this;
    for (const { kinds, subject, qualifier } of run.overlay?.ofObject(object) ?? []) {
      if (kinds >>> 16 === edge.objectKind) yield* this.#fact(object, kinds, subject, qualifier, edge);
    }
    const offset = run.graph.relationList(run.store, object, edge.objectKind);
    const { data } = run.graph;
    if (isTooLong(data, offset)) return yield* this.#longList(object, edge);
    for (let group = firstGroup(offset); group < listEnd(data, offset); group = nextGroup(data, group)) {
      const kinds = kindsOf(data, group);
      if (edge.allowed[kinds & 0x7fff] === undefined) continue;
      for (let at = firstNode(group); at < nextGroup(data, group); at++) {
        yield* this.#stored(object, kinds, nodeAt(data, at), edge);
      }
    }
  }

  /** Usersets that the subject is known to be a member of come first: among very many they are what is looked for. */
  *#longList(object: number, edge: DirectEdge): Generator<Fact> {
    const first = new Map(edge.usersetKinds.map((kind) => [kind, new Set<number>()]));
    this.run.closure.forEach((node, kind) => {
      first.get(kind)?.add(node);
    });
    for (const [kind, nodes] of first) {
      for (const node of nodes) {
        for (const kinds of shapesOf(edge.objectKind, kind)) {
          if (this.run.graph.has(this.run.store, object, kinds, node)) yield* this.#stored(object, kinds, node, edge);
        }
      }
    }
    for (const kind of edge.allowed.keys()) {
      if (edge.allowed[kind] === undefined) continue;
      for (const kinds of shapesOf(edge.objectKind, kind)) {
        for (const subject of this.#subjects(object, kinds)) {
          if (!first.get(kind)?.has(subject)) yield* this.#stored(object, kinds, subject, edge);
        }
      }
    }
  }

  *#subjects(object: number, kinds: number): Generator<number> {
    const { run } = this;
    for (let after = 0; ; ) {
      const chunk: number[] = [];
      run.graph.scanSubjects(run.store, object, kinds, after, (subject) => chunk.push(subject) < CHUNK);
      yield* chunk;
      if (chunk.length < CHUNK) return;
      after = (chunk.at(-1) ?? 0) + 1;
    }
  }

  *#stored(object: number, kinds: number, subject: number, edge: DirectEdge): Generator<Fact> {
    const { run } = this;
    run.visit();
    if (run.overlay?.hides(object, kinds, subject)) return;
    if ((kinds & QUALIFIED) === 0) return yield* this.#fact(object, kinds, subject, undefined, edge);
    const qualifier = run.graph.qualifier(run.store, object, kinds, subject);
    if (qualifier !== undefined) yield* this.#fact(object, kinds & ~QUALIFIED, subject, qualifier, edge);
  }

  *#fact(
    object: number,
    kinds: number,
    subject: number,
    qualifier: Qualifier | undefined,
    edge: DirectEdge,
  ): Generator<Fact> {
    const restriction = edge.allowed[kinds & 0x7fff];
    const name = qualifier?.condition;
    if (restriction === undefined || !(name === undefined ? restriction.plain : restriction.conditions.has(name)))
      return;
    const weight = qualifier === undefined ? ALLOWED : this.run.weigh(qualifier, restriction);
    const isOver = qualifier?.expiresAt !== undefined && this.run.now >= qualifier.expiresAt;
    const condition = name === undefined || isOver ? undefined : resultOf(name, weight);
    yield { object, kinds, subject, weight, condition };
  }
}

function resultOf(name: string, weight: Verdict): Explanation['condition'] {
  if (weight === ALLOWED) return { name, result: 'true' };
  if (weight === DENIED) return { name, result: 'false' };
  return weight === CONDITIONAL ? { name, result: 'missing' } : undefined;
}
