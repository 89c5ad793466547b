import type { Change, Store } from '#engine';

const asSubject = {
  role: { relation: 'assignee', on: 'permission:' },
  group: { relation: 'member', on: 'role:' },
} as const;

/**
 * What a new role, group or permission must not begin with: tuples of rights that name its slug from before, as an
 * import may have left them. Nothing, as a rule.
 */
export function leftoversOf(store: Store, object: string): Change[] {
  const type = object.slice(0, object.indexOf(':'));
  const role = type === 'role' || type === 'group' ? asSubject[type] : undefined;
  const isNamed =
    hasTuple(store, { object }) ||
    (role !== undefined && hasTuple(store, { object: role.on, subject: `${object}#${role.relation}` }));
  return isNamed ? [{ op: 'delete_object', store: store.name, object }] : [];
}

function hasTuple(store: Store, filter: { readonly object: string; readonly subject?: string }): boolean {
  return store.readTuples({ ...filter, limit: 1 }).tuples.length > 0;
}
