import { checkStoredContext } from '../condition/index.ts';
import { EngineError } from '../errors.ts';
import { findNode, readNode } from '../store/catalog.ts';
import type { Qualifier } from '../store/change-log.ts';
import { UNKNOWN_NODE_MIN, WILDCARD_NODE } from '../store/edge-key.ts';
import type { Tables } from '../store/environment.ts';
import type { NameTable } from '../store/name-table.ts';
import type { SuspendedSubjects } from '../store/suspended/suspended-subjects.ts';
import { parseObject, parseSubject, type SubjectRef, type Tuple } from '../tuple.ts';
import type { Plan, RelationPlan, TypePlan } from './plan/plan.ts';
import { unknownRelation, unknownType } from './unknown-names.ts';
import { Overlay } from './walk/overlay.ts';
import type { Run } from './walk/run.ts';

/** Expiry stands in 48 bits of an index key. */
const TIME_MAX = 2 ** 48 - 1;
const CONTEXT_MAX = 32_768;
const TYPES_MET_MAX = 4;
const RELATIONS_MET_MAX = 8;

/** What a question needs of one store. */
export interface StoreView {
  readonly tables: Tables;
  readonly names: NameTable;
  readonly number: number;
  readonly suspended: SuspendedSubjects;
}

interface RelationMet {
  readonly type: TypePlan;
  readonly relation: string;
  readonly plan: RelationPlan;
}

/**
 * Turns the texts of a question into node ids and plans, and its contextual tuples into an overlay. A thread has one
 * and points it at question after question.
 */
export class Resolver {
  #view: StoreView;
  #plan: Plan;
  #unknown: Map<string, number> | undefined;
  /** The types last met: most questions are about the same few, in all stores whose models have them. */
  readonly #types: TypePlan[] = [];
  /** By the index of each type: a plan that is known to have it. */
  readonly #plans: Plan[] = [];
  #nextType = 0;
  /** The relations last asked about. Each request brings a new text, which is compared faster than it is hashed. */
  readonly #relations: RelationMet[] = [];
  #nextRelation = 0;

  constructor(view: StoreView, plan: Plan) {
    this.#view = view;
    this.#plan = plan;
  }

  begin(view: StoreView, plan: Plan): void {
    this.#view = view;
    this.#unknown = undefined;
    this.#plan = plan;
  }

  /** The node of a name, or one that only this question knows. */
  node(name: string): number {
    return findNode(this.#view.tables, this.#view.names, this.#view.number, name) || this.#unknownNode(name);
  }

  /** The name behind an id that `node` made up. */
  unknownName(node: number): string | undefined {
    for (const [name, each] of this.#unknown ?? []) if (each === node) return name;
    return undefined;
  }

  /** The relation that is asked of an object, by the object's type. */
  target(object: string, relation: string): RelationPlan {
    const before = this.#typeMet(object);
    if (before !== undefined) return this.#askedOf(before, object, relation);
    const { type } = parseObject(object);
    const found = this.#plan.types.get(type);
    if (found === undefined) throw unknownType(type, 'object');
    this.#meet(found);
    return relationOf(found, relation, 'relation');
  }

  #askedOf(type: TypePlan, object: string, relation: string): RelationPlan {
    const relations = this.#relations;
    for (let index = 0; index < relations.length; index++) {
      const met = relations[index] as RelationMet;
      if (met.type === type && met.relation === relation) return met.plan;
    }
    // what is wrong with the object is told first, as where its type was not met
    parseObject(object);
    const plan = relationOf(type, relation, 'relation');
    relations[this.#nextRelation] = { type, relation, plan };
    this.#nextRelation = (this.#nextRelation + 1) % RELATIONS_MET_MAX;
    return plan;
  }

  /**
   * `type:id` as a node. A name that the store knows was checked when it was written.
   * @param found in the name table; 0 where only the store may know it
   */
  object(text: string, found = this.#view.names.get(this.#view.number, text)): number {
    const { tables, names, number } = this.#view;
    const known = found || readNode(tables, names, number, text);
    if (known !== 0) return known;
    parseObject(text);
    return this.#unknownNode(text);
  }

  relation(type: string, relation: string, path: string): RelationPlan {
    const found = this.#plan.types.get(type);
    if (found === undefined) throw unknownType(type, path === 'relation' ? 'type' : path);
    return relationOf(found, relation, path);
  }

  /** Points the run at a subject. Errors carry `path: 'subject'`. @param found as of `object` */
  aim(run: Run, text: string, found?: number): void {
    const before = this.#typeMet(text);
    let isRead = false;
    if (before !== undefined) {
      const { tables, names, number } = this.#view;
      let known = found ?? names.get(number, text);
      // neither a userset nor a wildcard, which are no names
      isRead = known === 0 && !text.includes('#') && !text.endsWith('*');
      if (isRead) known = readNode(tables, names, number, text);
      if (known !== 0) return aimAt(run, known, before.objectKind, before.wildcardKind);
    }
    const subject = parseSubject(text);
    const type = this.#plan.types.get(subject.type);
    if (type === undefined) throw unknownType(subject.type, 'subject');
    if (before === undefined) this.#meet(type);
    if (subject.relation === '') {
      return aimAt(run, isRead ? this.#unknownNode(text) : this.node(text), type.objectKind, type.wildcardKind);
    }
    if (subject.relation === '*') return aimAt(run, WILDCARD_NODE, type.wildcardKind, 0);
    const { kind } = relationOf(type, subject.relation, 'subject');
    aimAt(run, this.node(`${subject.type}:${subject.id}`), kind, 0);
  }

  overlay(tuples: readonly Tuple[] | undefined, max: number): Overlay | undefined {
    if (tuples === undefined || tuples.length === 0) return undefined;
    if (tuples.length > max) {
      throw new EngineError('too_large', `at most ${max} contextual tuples`, { path: 'contextualTuples', max });
    }
    const overlay = new Overlay();
    tuples.forEach((tuple, index) => {
      try {
        this.addTo(overlay, tuple);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        const path = `contextualTuples/${index}/${error.details.path ?? ''}`.replace(/\/$/, '');
        throw new EngineError('invalid_contextual_tuple', error.message, { ...error.details, path });
      }
    });
    return overlay;
  }

  /** Throws where the model does not allow the tuple. */
  addTo(overlay: Overlay, tuple: Tuple): void {
    const { objectKind, subjectKind } = requireAllowed(this.#plan, tuple);
    const subject = parseSubject(tuple.subject);
    const qualifier: Qualifier = {
      ...(tuple.condition === undefined ? {} : { condition: tuple.condition.name }),
      ...(tuple.condition?.context === undefined ? {} : { context: tuple.condition.context }),
      ...(tuple.expiresAt === undefined ? {} : { expiresAt: tuple.expiresAt }),
    };
    overlay.add({
      object: this.node(tuple.object),
      kinds: (objectKind << 16) | subjectKind,
      subject: subject.relation === '*' ? 0 : this.node(`${subject.type}:${subject.id}`),
      qualifier: tuple.condition === undefined && tuple.expiresAt === undefined ? undefined : qualifier,
    });
  }

  /** The type of `type:…`, where it is among those last met and the plan has it. */
  #typeMet(text: string): TypePlan | undefined {
    const types = this.#types;
    for (let index = 0; index < types.length; index++) {
      const type = types[index] as TypePlan;
      if (!text.startsWith(type.prefix)) continue;
      if (this.#plans[index] === this.#plan) return type;
      if (!this.#plan.types.has(type)) continue;
      this.#plans[index] = this.#plan;
      return type;
    }
    return undefined;
  }

  #meet(type: TypePlan): void {
    this.#types[this.#nextType] = type;
    this.#plans[this.#nextType] = this.#plan;
    this.#nextType = (this.#nextType + 1) % TYPES_MET_MAX;
  }

  #unknownNode(name: string): number {
    this.#unknown ??= new Map();
    const known = this.#unknown.get(name);
    if (known !== undefined) return known;
    const node = UNKNOWN_NODE_MIN + this.#unknown.size;
    this.#unknown.set(name, node);
    return node;
  }
}

function aimAt(run: Run, subject: number, subjectKind: number, wildcardKind: number): void {
  run.subject = subject;
  run.subjectKind = subjectKind;
  run.wildcardKind = wildcardKind;
}

function relationOf(type: TypePlan, relation: string, path: string): RelationPlan {
  const found = type.relations.get(relation);
  if (found === undefined) throw unknownRelation(type.name, relation, path);
  return found;
}

/** The kinds of a tuple that a model allows; throws `unknown_type`, `unknown_relation`, `invalid_tuple`, … otherwise. */
export function requireAllowed(plan: Plan, tuple: Tuple): { objectKind: number; subjectKind: number } {
  const object = parseObject(tuple.object);
  const subject = parseSubject(tuple.subject);
  const type = plan.types.get(object.type);
  if (type === undefined) throw unknownType(object.type, 'object');
  const relation = relationOf(type, tuple.relation, 'relation');
  const subjectKind = requireKind(plan, subject.type, subject.relation);
  const restriction = plan.directEdges.get(relation.kind)?.allowed[subjectKind];
  if (restriction === undefined) {
    throw new EngineError('invalid_tuple', `${object.type}#${tuple.relation} does not accept ${shown(subject)}`, {
      path: 'subject',
    });
  }
  requireQualifier(plan, tuple);
  const condition = tuple.condition?.name;
  if (condition !== undefined && !plan.conditions.has(condition)) {
    throw new EngineError('unknown_condition', `the model has no condition ${condition}`, { path: 'condition/name' });
  }
  if (condition === undefined ? !restriction.plain : !restriction.conditions.has(condition)) {
    const without = condition === undefined ? 'without a condition' : `with the condition ${condition}`;
    throw new EngineError(
      'invalid_tuple',
      `${object.type}#${tuple.relation} does not accept ${shown(subject)} ${without}`,
      { path: 'condition' },
    );
  }
  return { objectKind: relation.kind, subjectKind };
}

/** The same for many; errors name the index of the tuple. */
export function requireAllAllowed(plan: Plan, tuples: readonly Tuple[], path: string): void {
  for (const [index, tuple] of tuples.entries()) {
    try {
      requireAllowed(plan, tuple);
    } catch (error) {
      throw error instanceof EngineError ? error.within(`${path}/${index}`) : error;
    }
  }
}

/** A tuple's own context and expiry must be usable for ever: what could only fail at each check is refused now. */
function requireQualifier(plan: Plan, { condition, expiresAt }: Tuple): void {
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt >= 0 && expiresAt <= TIME_MAX)) {
    throw new EngineError('invalid_tuple', 'expiresAt must be whole milliseconds since the epoch', {
      path: 'expiresAt',
    });
  }
  const compiled = condition === undefined ? undefined : plan.conditions.get(condition.name);
  if (compiled === undefined) return;
  const context = condition?.context ?? (compiled.checkStored === undefined ? undefined : {});
  if (context === undefined) return;
  if (JSON.stringify(context).length > CONTEXT_MAX) {
    throw new EngineError('too_large', `a tuple's context is limited to ${CONTEXT_MAX} characters of JSON`, {
      path: 'condition/context',
      max: CONTEXT_MAX,
    });
  }
  const error = checkStoredContext(compiled, context);
  if (error === undefined) return;
  throw new EngineError(error.code, error.message, { ...error.details, path: 'condition/context' });
}

/** The kind of a subject: of an object where the relation is empty, of a wildcard where it is `*`. */
export function requireKind(plan: Plan, subjectType: string, relation: string): number {
  const type = plan.types.get(subjectType);
  if (type === undefined) throw unknownType(subjectType, 'subject');
  if (relation === '') return type.objectKind;
  return relation === '*' ? type.wildcardKind : relationOf(type, relation, 'subject').kind;
}

function shown(subject: SubjectRef): string {
  if (subject.relation === '') return subject.type;
  return subject.relation === '*' ? `${subject.type}:*` : `${subject.type}#${subject.relation}`;
}
