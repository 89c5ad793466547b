import { z } from 'zod';
import type { Store } from '#engine';
import { sortFields } from '../../kernel/lists/index.ts';
import { slugSchema } from '../../kernel/organizations/index.ts';
import type { Resource } from '../../kernel/resources/index.ts';
import {
  descriptionSchema,
  existing,
  nameSchema,
  requireHeldToRevoke,
  taken,
  writableBody,
} from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import { toldAs } from '../assignments/index.ts';
import {
  type GroupEntry,
  type GroupRecord,
  groupMembers,
  groupNamed,
  groupObject,
  groupRecords,
  leftoversOf,
  rivalGroup,
  slugsOf,
} from '../records/index.ts';

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

const newGroup = z.strictObject({
  name: slugSchema.describe('The slug, which never changes'),
  displayName: nameSchema.describe('The slug if omitted').optional(),
  description: descriptionSchema.optional(),
});
const changedGroup = writableBody(
  { displayName: nameSchema.optional(), description: descriptionSchema.optional() },
  groupSchema,
);

/** Groups. Who is in one, and the roles that its members have by it, are tuples. */
export const group: Resource<GroupRecord, z.output<typeof newGroup>, z.output<typeof changedGroup>> = {
  records: groupRecords,
  ...toldAs.group,
  path: 'groups',
  parameter: 'groupId',
  recordId: (store, text) => existing(groupNamed(store, text)).id,
  tags: ['Groups'],
  view: { schema: () => groupSchema, of: groupView },
  list: {
    summary: 'List groups',
    description: 'Searched by name and display name.',
    right: 'groups.read',
    definition: {
      text: ({ name, displayName }) => [name, displayName],
      sorts: sortFields('name', 'displayName', 'createdAt', 'updatedAt'),
      filters: {},
    },
  },
  read: { summary: 'Get a group', right: 'groups.read' },
  create: {
    summary: 'Create a group',
    description: 'A group begins empty, also where one of this name was deleted before.',
    right: 'groups.create',
    errors: ['conflict'],
    body: () => newGroup,
    create(transaction, { name, displayName = name, description = '' }) {
      const { store, now } = transaction;
      const rival = rivalGroup(store, name);
      if (rival !== undefined) throw taken('name', `There is a group ${rival.document.name}.`);
      transaction.change(leftoversOf(store, groupObject(name)));
      return { id: transaction.newId(), document: { name, displayName, description, createdAt: now, updatedAt: now } };
    },
  },
  change: {
    summary: 'Change a group',
    description: 'What is not sent stays as it is.',
    right: 'groups.update',
    forms: () => [{ method: 'PUT', body: changedGroup }],
    change: (_, { document }, { displayName = document.displayName, description = document.description }) => ({
      document: { ...document, displayName, description },
    }),
  },
  delete: {
    summary: 'Delete a group',
    description: 'Its members stay as users. Their membership, and the roles they had by it, go with the same commit.',
    right: 'groups.delete',
    errors: ['refused'],
    isConfirmed: true,
    delete(transaction, { document: { name } }) {
      requireHeldToRevoke(transaction, groupMembers(name));
      transaction.deleteObject(groupObject(name));
    },
  },
};
