import type { RecordEntry, RecordWrite, Store } from '#engine';
import { slugKey } from './roles.ts';

/** Collection of an organization's store. The engine's object is `group:{name}`; names are slugs and never change. */
export const groupCollection = 'groups';

/** Times are milliseconds since the epoch. */
export interface GroupRecord {
  /** The slug. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type GroupEntry = RecordEntry<GroupRecord>;

export function groupWrite(id: string, document: GroupRecord): RecordWrite {
  return { collection: groupCollection, id, document, unique: { name: slugKey(document.name) } };
}

export function groupObject(name: string): string {
  return `group:${name}`;
}

export function groupMembers(name: string): string {
  return `group:${name}#member`;
}

export function getGroup(store: Store, id: string): GroupEntry | undefined {
  return store.records.get<GroupRecord>(groupCollection, id);
}

/** The group with exactly this name, its case included. */
export function findGroup(store: Store, name: string): GroupEntry | undefined {
  const entry = store.records.byUnique<GroupRecord>(groupCollection, 'name', slugKey(name));
  return entry?.document.name === name ? entry : undefined;
}
