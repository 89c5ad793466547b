import { z } from 'zod';
import type { Store } from '#engine';
import { isoTime } from '../../platform/index.ts';
import { type GroupEntry, groupMembers, groupObject, slugsOf } from '../records/index.ts';

/** specification, Group. */
export const groupSchema = z.strictObject({
  id: z.string(),
  name: z.string().describe('The slug, which never changes'),
  slug: z.string().describe('The same as `name`'),
  displayName: z.string(),
  description: z.string(),
  memberCount: z.int().describe('Users in the group'),
  roles: z.array(z.string()).describe('Slugs of the roles that members inherit'),
  externalId: z.string().nullable().describe('The id that a provisioning client has given the group'),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type GroupView = z.output<typeof groupSchema>;

/** A group as both families show it. To be called inside a snapshot. */
export function groupView(store: Store, { id, document }: GroupEntry): GroupView {
  const { name, displayName, description, externalId = null, createdAt, updatedAt } = document;
  return {
    id,
    name,
    slug: name,
    displayName,
    description,
    memberCount: store.countSubjects({ object: groupObject(name), relation: 'member', subjectType: 'user' }),
    roles: slugsOf(store, groupMembers(name), 'role'),
    externalId,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
