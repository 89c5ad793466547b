import type { Model, RelationDefinition, Rewrite, TypeDefinition } from '../../model/model.ts';
import type { Kinds } from '../../store/catalog.ts';
import { ascentsOf } from './ascents.ts';
import { conditionsOf } from './conditions.ts';
import type {
  DirectEdge,
  ParentEdge,
  Plan,
  PlanShape,
  RelationPlan,
  Restriction,
  Role,
  Rule,
  TypePlan,
  UnionPlan,
} from './plan.ts';
import { PLAIN, PlanParts } from './plan-parts.ts';
import { PlanTypes } from './plan-types.ts';
import { edgeText, shapeDigest } from './shape-digest.ts';

const NO_RULE: Rule = {
  op: 'union',
  roles: [],
  merged: [],
  others: [],
  hasParents: false,
  hasUsersets: false,
  directKinds: [],
  parentKinds: [],
};

const NO_RELATIONS: TypePlan['relations'] = new Map();

/** Compiles a model against the kinds of a store. All kinds of the model must be interned there. */
export function compilePlan(modelId: string, model: Model, kinds: Kinds, parts = new PlanParts()): Plan {
  return new Compiler(modelId, model, kinds, parts).compile();
}

class Compiler {
  readonly #modelId: string;
  readonly #model: Model;
  readonly #kinds: Kinds;
  readonly #parts: PlanParts;
  readonly #byKind: (RelationPlan | undefined)[] = [];
  readonly #edges = new Map<number, DirectEdge>();

  constructor(modelId: string, model: Model, kinds: Kinds, parts: PlanParts) {
    this.#modelId = modelId;
    this.#model = model;
    this.#kinds = kinds;
    this.#parts = parts;
  }

  compile(): Plan {
    for (const [type, definition] of this.#model.types) {
      for (const relation of definition.relations.keys()) {
        const kind = this.#kinds.number(type, relation);
        this.#byKind[kind] = { kind, rule: NO_RULE, leaf: false, flat: false, unionsAlone: false };
      }
    }
    for (const [type, definition] of this.#model.types) {
      for (const relation of definition.relations.values()) {
        const plan = this.#plan(type, relation.name) as RelationPlan;
        plan.rule = this.#rule(type, relation, relation.rewrite);
        plan.leaf = isLeaf(plan.rule);
      }
    }
    for (const plan of closedUnions(this.#byKind, false)) plan.flat = true;
    for (const plan of closedUnions(this.#byKind, true)) plan.unionsAlone = true;
    const own: PlanShape = {
      byKind: this.#byKind,
      directEdges: this.#edges,
      ascents: ascentsOf(this.#byKind, this.#edges),
    };
    const digest = shapeDigest(own);
    const { byKind, directEdges, ascents } = this.#parts.shared(`shape ${digest}`, () => own);
    return {
      modelId: this.#modelId,
      types: PlanTypes.of(
        [...this.#model.types].map(([name, type]) => this.#typePlan(name, type, digest, byKind)),
        this.#parts,
      ),
      byKind,
      directEdges,
      ascents,
      conditions: conditionsOf(this.#model, this.#parts),
    };
  }

  /** Types of the same name in plans of the same shape are shared, such as those of the system. */
  #typePlan(
    name: string,
    type: TypeDefinition,
    shape: string,
    byKind: Plan['byKind'],
  ): readonly [text: string, TypePlan] {
    const objectKind = this.#kinds.number(name, '');
    const wildcardKind = this.#kinds.number(name, '*');
    const names = [...type.relations.keys()];
    const kinds = names.map((relation) => this.#kinds.number(name, relation));
    const make = (): TypePlan['relations'] =>
      new Map(names.map((relation, index) => [relation, byKind[kinds[index] as number] as RelationPlan]));
    const relations =
      names.length === 0 ? NO_RELATIONS : this.#parts.shared(`relations ${shape} ${names} ${kinds}`, make);
    const text = `type ${shape} ${name} ${objectKind} ${wildcardKind} ${names} ${kinds}`;
    const plan = this.#parts.shared(text, () => ({ name, prefix: `${name}:`, objectKind, wildcardKind, relations }));
    return [text, plan];
  }

  #plan(type: string, relation: string): RelationPlan | undefined {
    return this.#byKind[this.#kinds.number(type, relation)];
  }

  #rule(type: string, owner: RelationDefinition, rewrite: Rewrite): Rule {
    switch (rewrite.kind) {
      case 'intersection':
        return { op: 'intersection', children: rewrite.children.map((child) => this.#rule(type, owner, child)) };
      case 'exclusion':
        return {
          op: 'exclusion',
          base: this.#rule(type, owner, rewrite.base),
          subtract: this.#rule(type, owner, rewrite.subtract),
        };
      case 'from':
        if (rewrite.parents !== 'any') {
          const edge = this.#parentEdge(type, rewrite.tupleset, rewrite.relation);
          return { op: 'every_parent', edge, falseDenies: rewrite.parents === 'every_tuple' };
        }
        return this.#union(type, owner, rewrite);
      default:
        return this.#union(type, owner, rewrite);
    }
  }

  #union(type: string, owner: RelationDefinition, rewrite: Rewrite): UnionPlan {
    const draft = new UnionDraft();
    this.#collect(type, owner, rewrite, draft, new Set([owner.name]));
    return draft.finish(this.#parts);
  }

  #collect(type: string, owner: RelationDefinition, rewrite: Rewrite, draft: UnionDraft, seen: Set<string>): void {
    switch (rewrite.kind) {
      case 'direct':
        draft.direct(this.#directEdge(type, owner));
        return;
      case 'computed': {
        if (seen.has(rewrite.relation)) return;
        seen.add(rewrite.relation);
        const target = this.#model.types.get(type)?.relations.get(rewrite.relation);
        const plan = this.#plan(type, rewrite.relation);
        if (target === undefined || plan === undefined) return;
        if (isPureUnion(this.#model, type, target.rewrite, new Set())) {
          draft.merged.push(plan.kind);
          this.#collect(type, target, target.rewrite, draft, seen);
        } else {
          draft.others.push({ op: 'reference', target: plan });
        }
        return;
      }
      case 'from':
        if (rewrite.parents !== 'any') draft.others.push(this.#rule(type, owner, rewrite));
        else draft.parents(this.#parentEdge(type, rewrite.tupleset, rewrite.relation));
        return;
      case 'union':
        for (const child of rewrite.children) this.#collect(type, owner, child, draft, seen);
        return;
      default:
        draft.others.push(this.#rule(type, owner, rewrite));
    }
  }

  #directEdge(type: string, relation: RelationDefinition): DirectEdge {
    const objectKind = this.#kinds.number(type, relation.name);
    const known = this.#edges.get(objectKind);
    if (known !== undefined) return known;
    const allowed: Restriction[] = [];
    const usersetKinds = new Set<number>();
    for (const { type: subjectType, relation: subjectRelation, wildcard, condition } of relation.directSubjects) {
      const kind = this.#kinds.number(subjectType, wildcard ? '*' : (subjectRelation ?? ''));
      const before = allowed[kind];
      const plain = (before?.plain ?? false) || condition === undefined;
      const conditions = new Set(before?.conditions).add(condition ?? '');
      conditions.delete('');
      allowed[kind] = conditions.size === 0 ? PLAIN : { plain, conditions };
      if (subjectRelation !== undefined) usersetKinds.add(kind);
    }
    const edge: DirectEdge = { objectKind, allowed, usersetKinds: [...usersetKinds] };
    const shared = this.#parts.shared(`edge ${edgeText(edge)}`, () => edge);
    this.#edges.set(objectKind, shared);
    return shared;
  }

  #parentEdge(type: string, tupleset: string, relation: string): ParentEdge {
    const definition = this.#model.types.get(type)?.relations.get(tupleset) as RelationDefinition;
    const edge = this.#directEdge(type, definition);
    const targets: (RelationPlan | undefined)[] = [];
    for (const subject of definition.directSubjects) {
      targets[this.#kinds.number(subject.type, '')] = this.#plan(subject.type, relation);
    }
    return { tupleset: edge, targets };
  }
}

class UnionDraft {
  readonly merged: number[] = [];
  readonly others: Rule[] = [];
  readonly #direct = new Map<number, DirectEdge>();
  readonly #parents = new Map<number, ParentEdge[]>();

  direct(edge: DirectEdge): void {
    this.#direct.set(edge.objectKind, edge);
  }

  parents(edge: ParentEdge): void {
    const kind = edge.tupleset.objectKind;
    const edges = this.#parents.get(kind);
    if (edges === undefined) this.#parents.set(kind, [edge]);
    else edges.push(edge);
  }

  /** A plan that asks nothing of other plans is numbers alone, and is shared with other models. */
  finish(parts: PlanParts): UnionPlan {
    if (this.#parents.size > 0 || this.others.length > 0) return this.#make();
    const text = [...this.#direct.values()].map(edgeText).join(' ');
    return parts.shared(`union ${this.merged.join()} ${text}`, () => this.#make());
  }

  #make(): UnionPlan {
    const roles: Role[] = [];
    for (const kind of new Set([...this.#direct.keys(), ...this.#parents.keys()])) {
      roles[kind] = { direct: this.#direct.get(kind), parents: this.#parents.get(kind) ?? [] };
    }
    return {
      op: 'union',
      roles,
      merged: this.merged,
      others: this.others,
      hasParents: this.#parents.size > 0,
      hasUsersets: [...this.#direct.values()].some((edge) => edge.usersetKinds.length > 0),
      directKinds: [...this.#direct.keys()],
      parentKinds: [...this.#parents.keys()],
    };
  }
}

/** Is this rewrite made of unions, direct tuples, computed relations of the same sort and parents alone? */
function isPureUnion(model: Model, type: string, rewrite: Rewrite, seen: Set<string>): boolean {
  switch (rewrite.kind) {
    case 'direct':
      return true;
    case 'from':
      return rewrite.parents === 'any';
    case 'union':
      return rewrite.children.every((child) => isPureUnion(model, type, child, seen));
    case 'computed': {
      if (seen.has(rewrite.relation)) return true;
      seen.add(rewrite.relation);
      const target = model.types.get(type)?.relations.get(rewrite.relation);
      return target === undefined || isPureUnion(model, type, target.rewrite, seen);
    }
    default:
      return false;
  }
}

function isLeaf(rule: Rule): boolean {
  return rule.op === 'union' && !rule.hasParents && !rule.hasUsersets && rule.others.length === 0;
}

/** The greatest set of unions, with parents or without, in which each asks only others of the set. */
function closedUnions(relations: readonly (RelationPlan | undefined)[], withParents: boolean): Set<RelationPlan> {
  const unions = new Map<RelationPlan, UnionPlan>();
  for (const plan of relations) {
    if (plan?.rule.op !== 'union' || plan.rule.others.length > 0) continue;
    if (withParents || !plan.rule.hasParents) unions.set(plan, plan.rule);
  }
  for (let before = -1; before !== unions.size; ) {
    before = unions.size;
    for (const [plan, rule] of unions) {
      const asked = rule.roles.flatMap((role) => [
        ...(role?.direct?.usersetKinds ?? []).map((kind) => relations[kind]),
        ...(role?.parents ?? []).flatMap(({ targets }) => targets.filter((target) => target !== undefined)),
      ]);
      if (!asked.every((target) => target !== undefined && unions.has(target))) unions.delete(plan);
    }
  }
  return new Set(unions.keys());
}
