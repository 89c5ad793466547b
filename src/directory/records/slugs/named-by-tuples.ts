import type { GroupRecord } from '../groups.ts';
import type { PermissionRecord } from '../permissions.ts';
import type { RoleRecord } from '../roles.ts';

/** What a tuple names that has no record, as a record of it begins: it is called what its id is. */
export interface NamedByTuple {
  /** As in `type:id`. */
  readonly id: string;
  /** Whether its id differs from another of its type in case alone. */
  readonly isVariant: boolean;
}

export function namedRole(named: NamedByTuple, now: number): RoleRecord {
  return { slug: named.id, name: named.id, description: '', isSystem: false, ...beginning(named, now) };
}

export function namedGroup(named: NamedByTuple, now: number): GroupRecord {
  return { name: named.id, displayName: named.id, description: '', ...beginning(named, now) };
}

export function namedPermission(named: NamedByTuple, number: number, now: number): PermissionRecord {
  const { id: slug } = named;
  const colon = slug.indexOf(':');
  const isPair = colon > 0 && colon < slug.length - 1;
  const halves = isPair ? { resource: slug.slice(0, colon), action: slug.slice(colon + 1) } : {};
  return { number, slug, name: slug, ...halves, isSystem: false, ...beginning(named, now) };
}

function beginning({ isVariant }: NamedByTuple, now: number) {
  return { createdAt: now, updatedAt: now, ...(isVariant ? ({ isVariant } as const) : {}) };
}
