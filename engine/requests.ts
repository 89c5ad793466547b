import type { Context } from './condition/condition.ts';
import type { EngineErrorCode, ErrorDetails } from './errors.ts';
import type { Parents } from './model/model.ts';
import type { Tuple } from './tuple.ts';

/** What every question has in common. */
export interface Question {
  /** Values for conditions, as JSON gives them. A tuple's own context outranks it. */
  readonly context?: Context;
  /** Tuples that exist for this question alone. Must fit the model, else `invalid_contextual_tuple`. */
  readonly contextualTuples?: readonly Tuple[];
  /** A model version of this store; the latest where absent. */
  readonly modelId?: string | undefined;
  /** Milliseconds since the epoch by which expiry is judged; the clock where absent. */
  readonly now?: number;
}

export interface CheckRequest extends Question {
  readonly object: string;
  readonly relation: string;
  /** `type:id`, a userset `type:id#relation` or a wildcard `type:*`. */
  readonly subject: string;
}

/** The answer to a check. `conditional` names the context that is missing; it is not a permission. */
export type Decision =
  | { readonly outcome: 'allowed' }
  | { readonly outcome: 'denied' }
  | { readonly outcome: 'conditional'; readonly missing: readonly string[] };

export type BulkDecision =
  | Decision
  | {
      readonly outcome: 'error';
      readonly code: EngineErrorCode;
      readonly message: string;
      readonly details: ErrorDetails;
    };

export interface PageRequest {
  /** 1 to 10,000; 1,000 where absent. */
  readonly limit?: number;
  /** Of the page before; the first page where absent. */
  readonly cursor?: string | undefined;
}

export interface ListObjectsRequest extends Question, PageRequest {
  readonly type: string;
  readonly relation: string;
  readonly subject: string;
}

export interface ListSubjectsRequest extends Question, PageRequest {
  readonly object: string;
  readonly relation: string;
  readonly subjectType: string;
  /** Ask for usersets `subjectType:id#subjectRelation` instead of objects. */
  readonly subjectRelation?: string;
  /** Also name who is denied although the wildcard is not. */
  readonly excluded?: boolean;
  /** Also say why. A page then has at most 100 entries, which is its size where no limit is given. */
  readonly explain?: boolean;
}

/** One page, in a stable order that is not alphabetical. `cursor` is absent on the last page. */
export interface ListPage {
  readonly items: readonly string[];
  /** Those whose check would answer `conditional`, with the names of the missing context. */
  readonly conditional: readonly { readonly item: string; readonly missing: readonly string[] }[];
  readonly cursor?: string;
}

export interface SubjectsPage extends ListPage {
  /**
   * Where asked for: subjects that are denied although the wildcard `type:*` is allowed or conditional, because a tuple
   * names them that an exclusion or an intersection turns against them. They count against the page's limit.
   */
  readonly excluded?: readonly string[];
  /** Where asked for: one for each subject of the page, of whichever list. */
  readonly explanations?: readonly ListedExplanation[];
}

export interface ListedExplanation {
  readonly item: string;
  /** Absent where it passes a bound: more than 1,000 nodes, or the time of one evaluation. */
  readonly explanation?: Explanation;
}

export interface CountSubjectsRequest {
  readonly object: string;
  readonly relation: string;
  readonly subjectType: string;
  /** Count usersets `subjectType:id#subjectRelation` instead of objects. */
  readonly subjectRelation?: string;
}

/** Subjects by their offset among those that are counted. */
export interface SubjectPageRequest extends CountSubjectsRequest {
  readonly offset: number;
  /** 1 to 10,000. */
  readonly limit: number;
}

export interface CountObjectsRequest {
  readonly objectType: string;
  readonly relation: string;
  /** `type:id`, a userset `type:id#relation` or a wildcard `type:*`. */
  readonly subject: string;
}

/** Objects by their offset among those that are counted. */
export interface ObjectPageRequest extends CountObjectsRequest {
  readonly offset: number;
  /** 1 to 10,000. */
  readonly limit: number;
}

export interface TupleFilter extends PageRequest {
  /** `type:id`, or `type:` for every object of a type. */
  readonly object?: string;
  readonly relation?: string;
  /** A whole subject, or `type:` for every subject of a type. */
  readonly subject?: string;
}

export interface TuplePage {
  readonly tuples: readonly Tuple[];
  readonly cursor?: string;
}

/** One level of a relation, as its rewrite tells it: who stands there directly, and what else is asked. */
export type ExpandNode =
  | { readonly kind: 'direct'; readonly target: string; readonly subjects: readonly string[]; readonly more?: true }
  | { readonly kind: 'computed'; readonly target: string; readonly userset: string }
  | {
      readonly kind: 'from';
      readonly target: string;
      readonly tupleset: string;
      readonly parents: Parents;
      readonly usersets: readonly string[];
      readonly more?: true;
    }
  | {
      readonly kind: 'union' | 'intersection';
      readonly target: string;
      readonly children: readonly ExpandNode[];
    }
  | { readonly kind: 'exclusion'; readonly target: string; readonly base: ExpandNode; readonly subtract: ExpandNode };

/**
 * Why a decision is what it is. In an allowed one, every node is allowed and the leaves are stored or contextual
 * tuples: a proof that can be checked again. In a denied one, the branches that were tried.
 */
export interface Explanation {
  /** `object#relation@subject`: what this node decides. */
  readonly question: string;
  readonly outcome: 'allowed' | 'denied' | 'conditional' | 'cycle';
  readonly rule:
    | 'tuple'
    | 'self'
    | 'wildcard'
    | 'userset'
    | 'computed'
    | 'from'
    | 'union'
    | 'intersection'
    | 'exclusion'
    | 'suspended'
    | 'none';
  /** The tuple that this step rests on: `object#relation@subject`. */
  readonly tuple?: string;
  /** The tuple's condition, and what it answered. */
  readonly condition?: { readonly name: string; readonly result: 'true' | 'false' | 'missing' };
  readonly children?: readonly Explanation[];
}

/** What an answer that was made of a store's tuples rests on. */
export interface Basis {
  /** No commit after this revision has changed a tuple, a suspension or a model of the store. */
  readonly changedAt: number;
  /** No tuple has a condition or an expiry, so that time alone changes nothing. */
  readonly isTimeless: boolean;
}
