import type { ModelSource } from '#engine';
import { type Problem, type ProblemCode, type ProblemOptions, problem } from '../../http/index.ts';
import type { PageQuery } from '../../lists/index.ts';
import type { Caller } from '../../orgs/index.ts';
import type { AbacBody } from '../checks/bodies.ts';
import type { ExpandBody, ListObjectsBody, ListSubjectsBody } from '../zanzibar/bodies.ts';

export interface TuplesQuery {
  readonly object?: string | undefined;
  readonly relation?: string | undefined;
  readonly subject?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface PermissionsQuery {
  readonly subject?: string | undefined;
  readonly search?: string | undefined;
  readonly descending: boolean;
  readonly page: PageQuery;
}

/** What runs in another thread, as plain data. Bodies have passed their schemas. */
export type HeavyTask =
  | { readonly kind: 'list_objects'; readonly body: ListObjectsBody }
  | { readonly kind: 'list_subjects'; readonly body: ListSubjectsBody }
  | { readonly kind: 'expand'; readonly body: ExpandBody }
  | { readonly kind: 'tuples'; readonly query: TuplesQuery }
  | { readonly kind: 'permissions'; readonly query: PermissionsQuery }
  | { readonly kind: 'abac'; readonly body: AbacBody }
  | { readonly kind: 'prepare_model'; readonly source: ModelSource };

export interface HeavyRequest {
  readonly organization: string;
  /** Of the caller; `undefined` is the super administrator. */
  readonly subject: string | undefined;
  readonly task: HeavyTask;
}

/** Across threads an answer is text, which is cheaper to hand over than what it describes. */
export type HeavyAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: ProblemCode; readonly detail: string; readonly options: ProblemOptions };

export interface HeavyRunner {
  run(request: HeavyRequest): Promise<HeavyAnswer>;
}

export function requestOf(caller: Caller, task: HeavyTask): HeavyRequest {
  return { organization: caller.organization.slug, subject: caller.subject, task };
}

export function failureOf({ kind, detail, options }: Problem): HeavyAnswer {
  // only kinds of this table are thrown below a task
  return { ok: false, code: kind.code as ProblemCode, detail, options };
}

export function problemOf(answer: Extract<HeavyAnswer, { ok: false }>): Problem {
  return problem(answer.code, answer.detail, answer.options);
}
