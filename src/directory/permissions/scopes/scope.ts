import { z } from 'zod';
import { queryBoolean } from '../../../http/index.ts';
import { filterFields, sortFields } from '../../../kernel/lists/index.ts';
import type { Resource } from '../../../kernel/resources/index.ts';
import { isSystemPermission } from '../../../kernel/rights/index.ts';
import { descriptionSchema, numberInPath, refused, taken } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { numberKey } from '../../records/index.ts';
import { findScope, type ScopeRecord, scimScope, scopeRecords, serviceScopes } from './scope-record.ts';

/** Scopes of OpenID Connect (Core 1.0, 5.4 and 11): what they mean is not an organization's to say. */
const standardScopes: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
]);

const scopeSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  isDefault: z.boolean(),
  createdAt: z.string(),
});

const newScope = z.strictObject({
  /** RFC 6749, 3.3: `scope-token`. */
  name: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters without blanks, " and \\'),
  description: descriptionSchema.optional(),
  isDefault: z.boolean().describe('Given to tokens for which no scope is asked').optional(),
});

/** Scopes, numbered. They never change: what a token carries must keep its meaning. */
export const scope: Resource<ScopeRecord, z.output<typeof newScope>> = {
  records: scopeRecords,
  name: 'scope',
  path: 'scopes',
  parameter: 'scopeId',
  tags: ['Scopes'],
  isNumbered: true,
  recordId: (_store, text) => numberKey(numberInPath(text)),
  view: {
    schema: () => scopeSchema,
    of(_store, { document }): z.output<typeof scopeSchema> {
      const { number: id, name, description, isDefault, createdAt } = document;
      return { id, name, description, isDefault, createdAt: isoTime(createdAt) };
    },
  },
  audited: ({ document: { number, name } }) => ({ targetId: String(number), metadata: { scope: name } }),
  list: {
    summary: "List the organization's own OAuth scopes",
    right: 'scopes.read',
    definition: {
      text: ({ name, description }) => [name, description],
      sorts: { id: ({ number }) => number, ...sortFields('name', 'createdAt') },
      filters: filterFields('isDefault'),
    },
    filters: { isDefault: queryBoolean.optional() },
  },
  create: {
    summary: 'Create an OAuth scope',
    description: 'Scopes are what tokens carry. They are no permissions, and give none.',
    right: 'scopes.manage',
    errors: ['conflict', 'refused'],
    body: () => newScope,
    create({ store, now }, { name, description = '', isDefault = false }, number) {
      if (standardScopes.has(name.toLowerCase())) throw refused('This scope is defined by OpenID Connect.', 'name');
      if (name.toLowerCase() === scimScope) throw refused('This scope is only for SCIM tokens.', 'name');
      if (serviceScopes.has(name.toLowerCase())) throw refused('This scope is reserved.', 'name');
      if (isSystemPermission(name)) throw refused('A scope cannot have the name of a system permission.', 'name');
      const rival = findScope(store, name);
      if (rival !== undefined) throw taken('name', `There is a scope ${rival.document.name}.`);
      return { id: numberKey(number), document: { number, name, description, isDefault, createdAt: now } };
    },
  },
  delete: { summary: 'Delete an OAuth scope', right: 'scopes.manage' },
};
