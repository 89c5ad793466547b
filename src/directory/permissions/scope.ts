import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { queryBoolean } from '../../http/index.ts';
import { filterFields, sortFields } from '../../kernel/lists/index.ts';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import type { Resource } from '../../kernel/resources/index.ts';
import { isSystemPermission } from '../../kernel/rights/index.ts';
import { descriptionSchema, numberInPath, refused, taken } from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import { numberKey } from '../records/index.ts';

/**
 * An organization's own scopes, which OAuth tokens carry, each with its number (`numberKey`) as id. They are no
 * permissions. Times are in milliseconds.
 */
export const scopeRecords = defineRecord({
  collection: 'scopes',
  holds: 'a scope of OAuth tokens',
  schema: z.strictObject({
    number: z.int(),
    name: z.string(),
    description: z.string(),
    /** Whether a token gets it where no scope is asked for. */
    isDefault: z.boolean(),
    createdAt: z.number(),
  }),
  unique: ({ name }) => ({ name: name.toLowerCase() }),
  exported: (document) => document,
});

export type ScopeRecord = DocumentOf<typeof scopeRecords>;
export type ScopeEntry = RecordEntry<ScopeRecord>;

/** The scope of this name, whatever its case. */
export function findScope(store: Store, name: string): ScopeEntry | undefined {
  return scopeRecords.byUnique(store, 'name', name.toLowerCase());
}

/** Names of the organization's own scopes, in the order in which they were made, at most `limit` (1,000). */
export function ownScopeNames(store: Store, limit: number): string[] {
  return scopeRecords.list(store, { limit }).map(({ document }) => document.name);
}

/** The scope of tokens that provision people and groups (SCIM). An administrator gives it to a client. */
export const scimScope = 'scim';

/** Scopes of clients that receive security events (SSF 1.0): the second one includes the first. */
export const signalScopes = { read: 'ssf.read', manage: 'ssf.manage' } as const;

/** Scopes that the service itself gives a meaning. Administrators give them to clients; none is created, none registered. */
export const serviceScopes: ReadonlySet<string> = new Set([scimScope, ...Object.values(signalScopes)]);

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
