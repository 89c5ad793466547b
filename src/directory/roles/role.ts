import { z } from 'zod';
import type { Store } from '#engine';
import { queryBoolean } from '../../http/index.ts';
import { filterFields, sortFields } from '../../kernel/lists/index.ts';
import { slugSchema } from '../../kernel/organizations/index.ts';
import type { Resource } from '../../kernel/resources/index.ts';
import {
  descriptionSchema,
  existing,
  nameSchema,
  refused,
  requireHeldToRevoke,
  taken,
  writableBody,
} from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import { roleEvents, toldAs } from '../assignments/index.ts';
import {
  leftoversOf,
  type RoleEntry,
  type RoleRecord,
  rivalRole,
  roleAssignees,
  roleNamed,
  roleObject,
  roleRecords,
  slugsOf,
} from '../records/index.ts';

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

const newRole = z.strictObject({ name: nameSchema, slug: slugSchema, description: descriptionSchema.optional() });
const changedRole = writableBody(
  { name: nameSchema.optional(), description: descriptionSchema.optional() },
  roleSchema,
);

/** Roles. Who has one, and what it gives, are tuples. */
export const role: Resource<RoleRecord, z.output<typeof newRole>, z.output<typeof changedRole>> = {
  records: roleRecords,
  ...toldAs.role,
  path: 'roles',
  parameter: 'roleId',
  recordId: (store, text) => existing(roleNamed(store, text)).id,
  tags: ['Roles'],
  view: { schema: () => roleSchema, of: roleView },
  events: { create: roleEvents.create, update: roleEvents.update },
  list: {
    summary: 'List roles',
    description: 'Searched by name and slug.',
    right: 'roles.read',
    definition: {
      text: ({ name, slug }) => [name, slug],
      sorts: sortFields('name', 'slug', 'createdAt', 'updatedAt'),
      filters: filterFields('isSystem'),
    },
    filters: { isSystem: queryBoolean.optional() },
  },
  read: { summary: 'Get a role', right: 'roles.read' },
  create: {
    summary: 'Create a role',
    description: 'The slug never changes. A role begins empty, also where one of this slug was deleted before.',
    right: 'roles.create',
    errors: ['conflict'],
    body: () => newRole,
    create(transaction, { name, slug, description = '' }) {
      const { store, now } = transaction;
      const rival = rivalRole(store, slug);
      if (rival !== undefined) throw taken('slug', `There is a role ${rival.document.slug}.`);
      transaction.change(leftoversOf(store, roleObject(slug)));
      const document = { slug, name, description, isSystem: false, createdAt: now, updatedAt: now };
      return { id: transaction.newId(), document };
    },
  },
  change: {
    summary: 'Change a role',
    description: 'What is not sent stays as it is. System roles keep their name and description.',
    right: 'roles.update',
    errors: ['refused'],
    forms: () => [{ method: 'PUT', body: changedRole }],
    change(_, { document }, { name = document.name, description = document.description }) {
      const isChanged = name !== document.name || description !== document.description;
      if (document.isSystem && isChanged) throw refused('System roles cannot be changed.');
      return { document: { ...document, name, description } };
    },
  },
  delete: {
    summary: 'Delete a role',
    description: 'It is taken from every user and group, with the same commit. System roles cannot be deleted.',
    right: 'roles.delete',
    errors: ['refused'],
    isConfirmed: true,
    delete(transaction, { document: { slug, isSystem } }) {
      if (isSystem) throw refused('System roles cannot be deleted.');
      requireHeldToRevoke(transaction, roleAssignees(slug));
      transaction.deleteObject(roleObject(slug));
    },
  },
};
