import type { CompiledCondition } from '../../condition/condition.ts';
import type { PlanTypes } from './plan-types.ts';

/**
 * A model compiled against one store's kinds: what the evaluator walks. Relations that a rewrite reaches through
 * unions and computed relations alone are merged into one `UnionPlan`, so that one pass over an object's tuples
 * answers them all.
 */
export interface Plan extends PlanShape {
  readonly modelId: string;
  readonly types: Pick<PlanTypes, 'get' | 'has' | 'touch' | 'values'>;
  readonly conditions: ReadonlyMap<string, CompiledCondition>;
}

/** What a plan says in kinds, and not in names. */
export interface PlanShape {
  /** By kind of (type, relation). */
  readonly byKind: readonly (RelationPlan | undefined)[];
  /** What may be stored in each relation, by its kind. */
  readonly directEdges: ReadonlyMap<number, DirectEdge>;
  /** Which edges lead from a subject of some kind towards usersets; for the walk from the subject's side. */
  readonly ascents: readonly (readonly Ascent[] | undefined)[];
}

export interface TypePlan {
  readonly name: string;
  /** How names of its objects begin: `type:`. */
  readonly prefix: string;
  /** Kinds of (type, '') and (type, '*'). */
  readonly objectKind: number;
  readonly wildcardKind: number;
  readonly relations: ReadonlyMap<string, RelationPlan>;
}

export interface RelationPlan {
  readonly kind: number;
  rule: Rule;
  /** Nothing below it leads to another node: tuples of this object with plain subjects, and no more. */
  leaf: boolean;
  /**
   * Membership follows direct tuples through usersets of flat relations alone, so that walking up from the subject
   * finds all of it.
   */
  flat: boolean;
  /** Unions alone, all the way down: a cycle adds nothing to what a walk finds. */
  unionsAlone: boolean;
}

export type Rule = UnionPlan | IntersectionPlan | ExclusionPlan | EveryParentPlan | ReferencePlan;

export interface UnionPlan {
  readonly op: 'union';
  /** By object kind: what a tuple of that kind means here. */
  readonly roles: readonly (Role | undefined)[];
  /** Kinds of the relations merged into this one. */
  readonly merged: readonly number[];
  /** Operands that cannot be merged. */
  readonly others: readonly Rule[];
  readonly hasParents: boolean;
  readonly hasUsersets: boolean;
  readonly directKinds: readonly number[];
  readonly parentKinds: readonly number[];
}

export interface Role {
  /** The tuple's subject is one of those asked for. */
  readonly direct: DirectEdge | undefined;
  /** The tuple's subject is a parent on which another relation is asked. */
  readonly parents: readonly ParentEdge[];
}

export interface DirectEdge {
  readonly objectKind: number;
  /** By subject kind: what the model allows there. A stored tuple outside it is skipped. */
  readonly allowed: readonly (Restriction | undefined)[];
  /** Subject kinds of the usersets among them. */
  readonly usersetKinds: readonly number[];
}

export interface Restriction {
  /** Without a condition. */
  readonly plain: boolean;
  readonly conditions: ReadonlySet<string>;
}

export interface ParentEdge {
  readonly tupleset: DirectEdge;
  /** The relation asked, by the kind of the parent's type; absent where that type lacks it. */
  readonly targets: readonly (RelationPlan | undefined)[];
}

export interface IntersectionPlan {
  readonly op: 'intersection';
  readonly children: readonly Rule[];
}

export interface ExclusionPlan {
  readonly op: 'exclusion';
  readonly base: Rule;
  readonly subtract: Rule;
}

/** `relation from tupleset` over all parents, of which there must be one. */
export interface EveryParentPlan {
  readonly op: 'every_parent';
  readonly edge: ParentEdge;
  /** Does a tuple whose condition is false deny? Otherwise it is ignored. */
  readonly falseDenies: boolean;
}

/** A relation of the same object that keeps its own identity, for cycles and for what was already found. */
export interface ReferencePlan {
  readonly op: 'reference';
  readonly target: RelationPlan;
}

/** A tuple from a subject up to an object, and the flat relations that it makes the subject a member of. */
export interface Ascent {
  readonly objectKind: number;
  readonly restriction: Restriction;
  /** Kinds of the flat relations that include the tuple's. */
  readonly reaches: readonly number[];
}
