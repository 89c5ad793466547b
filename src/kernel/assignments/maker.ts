import type { Change, RecordEntry, Store } from '#engine';
import type { SystemPermission } from '../rights/index.ts';
import type { Telling } from './telling.ts';

/** What a record is made with, in the snapshot that plans its commit. */
export interface Making {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly newId: () => string;
  /** The next number of a sequence of the organization, which is given with the commit. */
  readonly nextNumber: (sequence: string) => number;
  /** Takes a name for one record of the commit; false where another of its records has it. */
  readonly claim: (name: string) => boolean;
}

/** A record that a commit begins with, and how that is told. */
export interface Made<Document> {
  readonly entry: RecordEntry<Document>;
  readonly telling: Telling;
}

/** How a record is made of what a tuple names, and nobody has created. */
export interface Maker<Document> {
  /** Who may create one. */
  readonly right: SystemPermission;
  /** Why none of this name is made; undefined where it can be. Called inside the snapshot. */
  readonly refusal: (store: Store, slug: string) => string | undefined;
  readonly make: (at: Making, slug: string) => Made<Document>;
}

/** The same, whatever its records are. */
export interface AnyMaker extends Pick<Maker<unknown>, 'right' | 'refusal'> {
  readonly make: (at: Making, slug: string) => Made<object> & { readonly change: Change };
}

/** Records that a commit begins with, by their objects: `group:eng`. */
export type MadeRecords = ReadonlyMap<string, RecordEntry<object>>;
