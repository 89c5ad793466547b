import { z } from 'zod';
import type { RecordEntry, RecordWrite, Store } from '#engine';
import { numberKey } from '../../directory/index.ts';

/** Collection of an organization's store: scopes of its own, which OAuth tokens carry. They are no permissions. */
export const scopeCollection = 'scopes';

/** Times are milliseconds since the epoch. */
export interface ScopeRecord {
  readonly number: number;
  readonly name: string;
  readonly description: string;
  /** Whether a token gets it where no scope is asked for. */
  readonly isDefault: boolean;
  readonly createdAt: number;
}

export type ScopeEntry = RecordEntry<ScopeRecord>;

export const scopeSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  isDefault: z.boolean(),
  createdAt: z.string(),
});

export function scopeWrite(document: ScopeRecord): RecordWrite {
  const unique = { name: document.name.toLowerCase() };
  return { collection: scopeCollection, id: numberKey(document.number), document, unique };
}

export function getScope(store: Store, number: number): ScopeEntry | undefined {
  return store.records.get<ScopeRecord>(scopeCollection, numberKey(number));
}

/** The scope of this name, whatever its case. */
export function findScope(store: Store, name: string): ScopeEntry | undefined {
  return store.records.byUnique<ScopeRecord>(scopeCollection, 'name', name.toLowerCase());
}

export function scopeView({ document }: ScopeEntry): z.output<typeof scopeSchema> {
  const { number: id, name, description, isDefault, createdAt } = document;
  return { id, name, description, isDefault, createdAt: new Date(createdAt).toISOString() };
}
