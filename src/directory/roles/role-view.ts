import { z } from 'zod';
import type { Store } from '#engine';
import { isoTime } from '../../platform/index.ts';
import { type RoleEntry, roleAssignees, roleObject, slugsOf } from '../records/index.ts';

/** specification, Role. */
export const roleSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  permissions: z.array(z.string()).describe('Slugs of the permissions in the role'),
  userCount: z.int().describe('Users who have the role by themselves, and not through a group'),
  isSystem: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type RoleView = z.output<typeof roleSchema>;

/** A role as both families show it. To be called inside a snapshot. */
export function roleView(store: Store, { id, document }: RoleEntry): RoleView {
  const { slug, name, description, isSystem, createdAt, updatedAt } = document;
  return {
    id,
    name,
    slug,
    description,
    permissions: slugsOf(store, roleAssignees(slug), 'permission'),
    userCount: store.countSubjects({ object: roleObject(slug), relation: 'assignee', subjectType: 'user' }),
    isSystem,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
