import type { Store } from '#engine';
import {
  type GroupEntry,
  getUser,
  groupObject,
  groupRecords,
  type UserRecord,
  userIdsOf,
} from '../../../directory/records/index.ts';
import { isId, metaOf, present, type ScimResource } from '../documents/scim-resource.ts';
import { groupType } from '../schema/group-type.ts';

/** Members that one answer shows of one group; the rest are in the members' list of the administration. */
export const MEMBERS_MAX = 100_000;

/** From this number of members on, a group is read in the query pool and written in the thread of tasks. */
export const LARGE_FROM = 1000;

/** To be called inside a snapshot. */
export function isLarge(store: Store, { document: { name } }: GroupEntry): boolean {
  return store.countSubjects({ object: groupObject(name), relation: 'member', subjectType: 'user' }) > LARGE_FROM;
}

/** Ids of the members that one answer shows. To be called inside a snapshot. */
export function memberIds(store: Store, name: string): string[] {
  return userIdsOf(store, 'group', name, MEMBERS_MAX);
}

/** The attributes of a group without its members. */
export function groupAttributes({ id, document }: GroupEntry): ScimResource {
  const { displayName, externalId } = document;
  return present({ schemas: [groupType.schema.id], id, externalId, displayName });
}

/** What the version of a group stands for. */
export function groupContent(store: Store, entry: GroupEntry, ids = memberIds(store, entry.document.name)) {
  return { ...groupAttributes(entry), members: ids };
}

/**
 * A group as SCIM shows it; without its members, where those are not asked for, it has no version. To be called inside a
 * snapshot.
 * @param ids of the members to show
 */
export function groupResource(store: Store, entry: GroupEntry, base: string, ids: readonly string[] | undefined) {
  const content = ids && groupContent(store, entry, [...ids]);
  return present({
    ...groupAttributes(entry),
    members: ids?.map((id) => memberOf(store, base, id)),
    meta: metaOf(groupType, base, entry.id, entry.document, content),
  });
}

export function memberOf(store: Store, base: string, id: string) {
  const user = getUser(store, id);
  const display = user && calledBy(user.document);
  return { value: id, $ref: `${base}/Users/${id}`, ...(display === undefined ? {} : { display }), type: 'User' };
}

function calledBy({ name, username, email }: UserRecord): string {
  return name ?? username ?? email;
}

/** Ids of the users in the group with an id; none where there is no such group. To be called inside a snapshot. */
export function groupMemberIds(store: Store, id: string): string[] {
  const group = isId(id) ? groupRecords.get(store, id) : undefined;
  return group === undefined ? [] : userIdsOf(store, 'group', group.document.name);
}
