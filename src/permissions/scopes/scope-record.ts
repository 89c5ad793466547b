import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { numberKey } from '../../directory/index.ts';
import { type DocumentOf, defineRecord } from '../../kernel/index.ts';

/**
 * An organization's own scopes, which OAuth tokens carry, each with its number (`numberKey`) as id. They are no
 * permissions. Times are in milliseconds.
 */
export const scopeRecords = defineRecord({
  collection: 'scopes',
  schema: z.strictObject({
    number: z.int(),
    name: z.string(),
    description: z.string(),
    /** Whether a token gets it where no scope is asked for. */
    isDefault: z.boolean(),
    createdAt: z.number(),
  }),
  unique: ({ name }) => ({ name: name.toLowerCase() }),
});

export type ScopeRecord = DocumentOf<typeof scopeRecords>;
export type ScopeEntry = RecordEntry<ScopeRecord>;

export const scopeSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  isDefault: z.boolean(),
  createdAt: z.string(),
});

export function getScope(store: Store, number: number): ScopeEntry | undefined {
  return scopeRecords.get(store, numberKey(number));
}

/** The scope of this name, whatever its case. */
export function findScope(store: Store, name: string): ScopeEntry | undefined {
  return scopeRecords.byUnique(store, 'name', name.toLowerCase());
}

export function scopeView({ document }: ScopeEntry): z.output<typeof scopeSchema> {
  const { number: id, name, description, isDefault, createdAt } = document;
  return { id, name, description, isDefault, createdAt: new Date(createdAt).toISOString() };
}
