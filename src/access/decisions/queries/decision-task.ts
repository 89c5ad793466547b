import type { PageQuery } from '../../../kernel/lists/index.ts';
import type { AbacBody } from '../checks/bodies.ts';
import type { ExpandBody, ListObjectsBody, ListSubjectsBody } from '../zanzibar/bodies.ts';
import type { SentModel } from '../zanzibar/model-body.ts';

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

/** The tasks of decisions and relations. */
export type DecisionTask =
  | { readonly kind: 'list_objects'; readonly body: ListObjectsBody }
  | { readonly kind: 'list_subjects'; readonly body: ListSubjectsBody }
  | { readonly kind: 'expand'; readonly body: ExpandBody }
  | { readonly kind: 'tuples'; readonly query: TuplesQuery }
  | { readonly kind: 'permissions'; readonly query: PermissionsQuery }
  | { readonly kind: 'abac'; readonly body: AbacBody }
  | { readonly kind: 'prepare_model'; readonly model: SentModel };
