import { z } from 'zod';
import type { Change, Store, Tuple } from '#engine';
import {
  findGroup,
  type GroupEntry,
  groupObject,
  groupRecords,
  type UserEntry,
  userRecords,
} from '../../../../directory/records/index.ts';
import { credentialRecords } from '../../../../directory/users/index.ts';
import { type Problem, problemFromError, withAbsence } from '../../../../http/index.ts';
import type { ScimResource } from '../../documents/scim-resource.ts';
import { scimErrorBody } from '../../errors/scim-errors.ts';
import { groupAttributes } from '../../groups/group-resource.ts';
import { userAttributes } from '../../users/user-resource.ts';
import type { AskedOperation } from '../asked-operation.ts';

/** Most ids of added or removed members that are listed. */
const NAMED_MAX = 1000;

const some = z.strictObject({ count: z.int(), ids: z.array(z.string()).describe('At most 1,000 of them') });

/** What a request would change, as administrators see it. */
const foreseenSchema = z.strictObject({
  resourceType: z.enum(['User', 'Group']),
  id: z.string().describe('When a resource is created, it gets another id'),
  action: z.enum(['create', 'update', 'delete']),
  attributes: z
    .record(z.string(), z.strictObject({ before: z.unknown().optional(), after: z.unknown().optional() }))
    .describe('The attributes that would change'),
  setsPassword: z.boolean(),
  endsSessions: z.boolean().describe('Whether all sessions and tokens of the user would end'),
  membersAdded: some,
  membersRemoved: some,
});

export type Foreseen = z.output<typeof foreseenSchema>;

export const outcomeSchema = z.strictObject({
  status: z.int().describe('Status of the answer'),
  response: z.record(z.string(), z.unknown()).nullable().describe('Body of the answer'),
  changes: z.array(foreseenSchema).describe('Changes that the request would make'),
});
export type Outcome = z.output<typeof outcomeSchema>;

export function refusal(known: Problem): Outcome {
  return { status: known.kind.status, response: { ...scimErrorBody(known) }, changes: [] };
}

/** What is wrong with a request is its outcome. */
export function refusalOf(error: unknown, { type, id }: AskedOperation): Outcome {
  const known = problemFromError(error);
  if (known === undefined || known.kind.status >= 500) throw error;
  return refusal(id === undefined ? known : withAbsence(known, `/${type}s/{id}`, { id }));
}

/** The changes of a command, as they concern one resource. */
export interface Plan {
  readonly user?: { readonly before: UserEntry | undefined; readonly after: UserEntry | undefined };
  readonly group?: { readonly before: GroupEntry | undefined; readonly after: GroupEntry | undefined };
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Reads a command of SCIM, which is about one user or one group. To be called inside a snapshot. */
export function planOf(store: Store, changes: readonly Change[]): Plan | undefined {
  const user = changed<UserEntry>(store, changes, userRecords);
  if (user !== undefined) return { user, added: [], removed: [] };
  const group = changed<GroupEntry>(store, changes, groupRecords) ?? ofMembers(store, changes);
  if (group === undefined) return undefined;
  const name = (group.after ?? group.before)?.document.name ?? '';
  return { group, added: membersIn(changes, 'write_tuples', name), removed: membersIn(changes, 'delete_tuples', name) };
}

export function foreseen(changes: readonly Change[], { user, group, added, removed }: Plan): Foreseen | undefined {
  const { before, after } = user ?? group ?? {};
  const id = (after ?? before)?.id;
  if (id === undefined) return undefined;
  const shown = (entry: UserEntry | GroupEntry | undefined): ScimResource =>
    entry === undefined
      ? {}
      : user === undefined
        ? groupAttributes(entry as GroupEntry) // where it is no plan of a user, it is one of a group
        : userAttributes(entry.id, entry.document as UserEntry['document']);
  return {
    resourceType: user === undefined ? 'Group' : 'User',
    id,
    action: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
    attributes: difference(shown(before), shown(after)),
    setsPassword: changes.some(isPassword),
    endsSessions: user !== undefined && (after === undefined || changes.some(({ op }) => op === 'suspend_subject')),
    membersAdded: { count: added.length, ids: added.slice(0, NAMED_MAX) },
    membersRemoved: { count: removed.length, ids: removed.slice(0, NAMED_MAX) },
  };
}

interface Kind<Entry> {
  readonly collection: string;
  get(store: Store, id: string): Entry | undefined;
}

/** The record of a kind that the changes put or delete. */
function changed<Entry extends UserEntry | GroupEntry>(store: Store, changes: readonly Change[], kind: Kind<Entry>) {
  for (const change of changes) {
    if (change.op === 'put_record' && change.record.collection === kind.collection) {
      const { id, document } = change.record;
      // what is put into a collection has passed through its kind
      return { before: kind.get(store, id), after: { id, version: 0, document } as Entry };
    }
    if (change.op === 'delete_record' && change.collection === kind.collection) {
      return { before: kind.get(store, change.id), after: undefined };
    }
  }
  return undefined;
}

/** The group whose members alone change. */
function ofMembers(store: Store, changes: readonly Change[]) {
  const prefix = groupObject('');
  for (const change of changes) {
    if (change.op !== 'write_tuples' && change.op !== 'delete_tuples') continue;
    const tuple = change.tuples.find(({ object }) => object.startsWith(prefix));
    const group = tuple && findGroup(store, tuple.object.slice(prefix.length));
    if (group !== undefined) return { before: group, after: group };
  }
  return undefined;
}

const userPrefix = 'user:';

function membersIn(changes: readonly Change[], op: 'write_tuples' | 'delete_tuples', name: string): string[] {
  const object = groupObject(name);
  const isMember = (tuple: Tuple): boolean => tuple.object === object && tuple.subject.startsWith(userPrefix);
  return changes.flatMap((change) =>
    change.op === op ? change.tuples.filter(isMember).map(({ subject }) => subject.slice(userPrefix.length)) : [],
  );
}

function isPassword(change: Change): boolean {
  if (change.op !== 'put_record' || change.record.collection !== credentialRecords.collection) return false;
  return (change.record.document as { readonly hash?: unknown }).hash !== undefined;
}

function difference(before: ScimResource, after: ScimResource): Foreseen['attributes'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== 'id');
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(differing.map((name) => [name, { before: before[name], after: after[name] }]));
}
