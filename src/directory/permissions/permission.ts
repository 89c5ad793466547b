import { z } from 'zod';
import { queryBoolean } from '../../http/index.ts';
import { filterFields, sortFields } from '../../kernel/lists/index.ts';
import { slugSchema } from '../../kernel/organizations/index.ts';
import type { Resource } from '../../kernel/resources/index.ts';
import { permissionObject } from '../../kernel/rights/index.ts';
import {
  descriptionSchema,
  existing,
  invalid,
  labelSchema,
  nameSchema,
  refused,
  taken,
  writableBody,
} from '../../kernel/transactions/index.ts';
import { toldAs } from '../assignments/index.ts';
import {
  firstOwnNumber,
  leftoversOf,
  numberKey,
  type PermissionEntry,
  type PermissionRecord,
  permissionNamed,
  permissionRecords,
  rivalPermission,
} from '../records/index.ts';
import { permissionSchema, permissionView } from './permission-view.ts';
import { slugFromName } from './slug-from-name.ts';

const description = descriptionSchema.nullable().optional();
/** An empty text, which the org family shows, clears as null does. An enumeration, for the sake of generated clients. */
const label = z
  .union([z.enum(['']), labelSchema])
  .nullable()
  .optional();

const newPermission = {
  org: z.strictObject({
    slug: slugSchema.describe('`resource:action` by convention'),
    name: nameSchema.describe('The slug if omitted').optional(),
    description,
    resource: label.describe('The slug says it where it has a colon'),
    action: label,
  }),
  tenant: z.strictObject({
    name: nameSchema,
    slug: slugSchema.describe('Made from the name if omitted').optional(),
    description,
    category: label,
  }),
};

const changedPermission = {
  org: writableBody(
    { name: nameSchema.optional(), description, resource: label, action: label },
    permissionSchema('org'),
  ),
  tenant: writableBody({ name: nameSchema.optional(), description, category: label }, permissionSchema('tenant')),
};

/** Fields that a caller can set; null removes one. */
interface PermissionFields {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly resource?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly category?: string | null | undefined;
}

type NewPermission = PermissionFields & { readonly slug?: string | undefined };

/** Permissions, numbered. Who has one is tuples. */
export const permission: Resource<PermissionRecord, NewPermission, PermissionFields> = {
  records: permissionRecords,
  ...toldAs.permission,
  path: 'permissions',
  parameter: 'permissionId',
  tags: ['Permissions'],
  isNumbered: true,
  recordId: (store, text) => existing(permissionNamed(store, text)).id,
  view: { schema: permissionSchema, of: permissionView },
  list: {
    summary: 'List permissions',
    description: 'Searched by name, slug and description.',
    right: 'permissions.read',
    definition: {
      text: ({ name, slug, description }) => [name, slug, description],
      sorts: {
        id: ({ number }) => number,
        ...sortFields('name', 'slug', 'resource', 'action', 'category', 'createdAt'),
      },
      filters: filterFields('isSystem', 'category'),
    },
    filters: { category: labelSchema.optional(), isSystem: queryBoolean.optional() },
  },
  read: { summary: 'Get a permission', right: 'permissions.read' },
  create: {
    summary: 'Create a permission',
    description: 'The slug never changes, and is never that of a system permission. Nobody has it at first.',
    right: 'permissions.create',
    errors: ['conflict'],
    body: (family) => newPermission[family],
    create(transaction, { slug: wanted, ...fields }, sequence) {
      const { store, now } = transaction;
      const number = firstOwnNumber - 1 + sequence;
      const rivalOf = (slug: string) => rivalPermission(store, slug);
      const name = fields.name ?? wanted ?? '';
      const slug = wanted ?? slugFromName(name, number, (each) => rivalOf(each) !== undefined);
      const rival = rivalOf(slug);
      if (rival !== undefined) throw taken('slug', `There is a permission ${rival.document.slug}.`);
      // whatever tuples name its slug from before would give it to somebody
      transaction.change(leftoversOf(store, permissionObject(slug)));
      const document = withFields(
        { number, slug, name, isSystem: false, createdAt: now, updatedAt: now },
        { ...fields, name, ...halves(slug, fields) },
      );
      return { id: numberKey(number), document };
    },
  },
  change: {
    summary: 'Change a permission',
    description: 'What is not sent stays as it is. System permissions cannot be changed.',
    right: 'permissions.update',
    errors: ['refused'],
    forms: (family) => [{ method: family === 'org' ? 'PATCH' : 'PUT', body: changedPermission[family] }],
    change(_, entry, fields) {
      requireOwn(entry, 'changed');
      return { document: withFields(entry.document, { ...fields, ...halves(entry.document.slug, fields) }) };
    },
  },
  delete: {
    summary: 'Delete a permission',
    description: 'It is taken from every role and user, with the same commit. System permissions cannot be deleted.',
    right: 'permissions.delete',
    errors: ['refused'],
    delete(transaction, entry) {
      requireOwn(entry, 'deleted');
      transaction.deleteObject(permissionObject(entry.document.slug));
    },
  },
};

/** @throws ProblemError 422 where it is the system's */
function requireOwn({ document: { isSystem } }: PermissionEntry, verb: string): void {
  if (isSystem) throw refused(`System permissions cannot be ${verb}.`);
}

/** By convention a slug is `resource:action`. Decisions read it so, and the record must not say anything else. */
function halves(slug: string, fields: PermissionFields): Pick<PermissionFields, 'resource' | 'action'> {
  const colon = slug.indexOf(':');
  if (colon < 1 || colon === slug.length - 1) return {};
  const said = { resource: slug.slice(0, colon), action: slug.slice(colon + 1) };
  for (const field of ['resource', 'action'] as const) {
    if ((fields[field] ?? '') === '' || fields[field] === said[field]) continue;
    throw invalid(field, `must be ${said[field]}, as the slug says`);
  }
  return said;
}

const clearable = ['description', 'resource', 'action', 'category'] as const;

/** Fields that are left out stay; null removes one. */
function withFields(record: PermissionRecord, fields: PermissionFields): PermissionRecord {
  const changed = { ...record };
  if (fields.name !== undefined) changed.name = fields.name;
  for (const field of clearable) {
    const value = fields[field];
    if (value === null || value === '') delete changed[field];
    else if (value !== undefined) changed[field] = value;
  }
  return changed;
}
