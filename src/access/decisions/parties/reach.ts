import { parseObject } from '#engine';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { scopeCovers } from '../../../kernel/rights/index.ts';

/** What a question is about, in the words of an agency. */
export interface About {
  /** Undefined where no permission stands for it. */
  readonly permission: string | undefined;
  /** `type:id`; undefined where it is about no object in particular. */
  readonly object: string | undefined;
}

export function aboutPermission(
  permission: string,
  resource: { readonly type: string; readonly id: string } | undefined,
): About {
  return { permission, object: resource && `${resource.type}:${resource.id}` };
}

const ACTION = 'can_';

/**
 * `can_<action>` on an object is the permission `type:action` on it, and `permission:P#granted` is P. No permission
 * stands for other relations, so that no agency reaches them.
 */
export function aboutRelation(object: string, relation: string): About {
  const { type, id } = parseObject(object);
  if (type === 'permission' && relation === 'granted') return { permission: id, object: undefined };
  const permission = relation.startsWith(ACTION) ? `${type}:${relation.slice(ACTION.length)}` : undefined;
  return { permission, object };
}

/** Whether the agency of a caller reaches what a question is about: its scopes and, where there are some, its objects. */
export function reaches({ scopes, resources }: Pick<Caller, 'scopes' | 'resources'>, about: About): boolean {
  const { permission, object } = about;
  if (permission === undefined || !scopeCovers(scopes, permission)) return false;
  return resources === undefined || (object !== undefined && resources.has(object));
}
