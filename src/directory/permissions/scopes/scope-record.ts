import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

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
