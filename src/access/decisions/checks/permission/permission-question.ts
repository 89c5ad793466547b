import { type CheckRequest, type Context, EngineError, type Store } from '#engine';
import { withAttributes } from '../../context/attributes.ts';
import type { Parts } from '../../context/object-forms.ts';
import type { ModelRelations } from './model-relations.ts';
import { namesOfPermission } from './permission-names.ts';

interface PermissionQuestion {
  readonly permission: string;
  readonly resource?: Parts | undefined;
  readonly subject: string;
  readonly context: Context;
  readonly now: number;
}

/** A question for the engine, which ignores the resource: that is for the attributes that conditions see. */
export interface PermissionRequest extends CheckRequest {
  readonly context: Context;
  readonly resource: Parts | undefined;
}

export type PermissionRequests = readonly [PermissionRequest] | readonly [PermissionRequest, PermissionRequest];

/**
 * A permission as questions of the engine, of which one must be allowed: `permission:P#granted`, and with a resource
 * also `can_<action>` on that object where the model has it. There are no deny policies: an exclusion in the model
 * limits `can_<action>`, and not a permission that was granted for all objects.
 * @throws EngineError `invalid_argument` where the resource is not of the permission's type
 */
export function permissionRequests(
  store: Store,
  relations: ModelRelations,
  question: PermissionQuestion,
): PermissionRequests {
  const { permission, resource, subject, context, now } = question;
  const granted = {
    object: namesOfPermission(permission).object,
    relation: 'granted',
    subject,
    context,
    now,
    resource,
  };
  if (resource === undefined) return [granted];
  const relation = resourceRelation(permission, resource);
  if (!relations.has(store, resource.type, relation)) return [granted];
  return [granted, { object: `${resource.type}:${resource.id}`, relation, subject, context, now, resource }];
}

/** `docs:read` of a `docs` is `can_read`. */
function resourceRelation(permission: string, resource: Parts): string {
  const colon = permission.indexOf(':');
  if (colon < 1 || permission.slice(0, colon) !== resource.type) {
    throw new EngineError('invalid_argument', 'resource.type must be the resource of the permission', {
      path: 'resource.type',
    });
  }
  return `can_${permission.slice(colon + 1)}`;
}

/**
 * The same questions with the stored attributes of their subject. These are read only where a condition lacks
 * something: most questions are settled without them.
 */
export function withStored(store: Store, requests: readonly PermissionRequest[]): PermissionRequest[] {
  return requests.map((request) => ({ ...request, context: withAttributes(store, request.context, request) }));
}
