import type { Precondition, RecordEntry, Store, Tuple } from '#engine';
import type { Caller } from '../organizations/index.ts';
import type { RecordKind } from '../records/index.ts';
import type { SystemPermission } from '../rights/index.ts';
import type { AdminParts } from '../transactions/index.ts';

export type Direction = 'given' | 'taken';

/** What can be given: a role, membership of a group, a permission. */
export interface Given<Entry> {
  /** Of the objects whose tuples say who has it: `role` of `role:editor#assignee`. */
  readonly type: string;
  /** `assignee` of `role:editor#assignee`. */
  readonly relation: string;
  /** Whether everybody (`user:*`) may have it without a condition. */
  readonly isOpenToAll?: boolean;
  readonly slugOf: (entry: Entry) => string;
  readonly bySlug: (store: Store, slug: string) => Entry | undefined;
  /** Whose rights are given with it: `role:editor#assignee`, `permission:docs:read`. */
  readonly source: (slug: string) => string;
  /** What it gives must be what it gave when that was judged. */
  readonly restsOn: (store: Store, entry: Entry) => readonly Precondition[];
  /** Nobody gives what they do not hold. @throws ProblemError 403 */
  readonly requireHeld: (parts: AdminParts, caller: Caller, slug: string, now: number) => void;
}

/** Who can have something: a user, the members of a group, whoever has a role. */
export interface Holder<Document> {
  /** Of the subjects of such tuples: `group` of `group:eng#member`. */
  readonly type: string;
  /** `member` of `group:eng#member`; absent where the subject is the holder itself. */
  readonly relation?: string;
  readonly records: RecordKind<Document>;
  /** What names one in a subject: `eng` of `group:eng#member`. */
  readonly nameOf: (entry: RecordEntry<Document>) => string;
  /** Called inside a snapshot. */
  readonly byName: (store: Store, name: string) => RecordEntry<Document> | undefined;
  /** What events say about it, and audit entries beside its id. */
  readonly told: (entry: RecordEntry<Document>) => Readonly<Record<string, unknown>>;
  readonly audited: (entry: RecordEntry<Document>) => Readonly<Record<string, unknown>>;
  /**
   * The holder's record as it is written beside the tuple, where others are given what the holder has: whoever gives
   * that at the same moment judges again.
   */
  readonly touched?: (document: Document, now: number) => Document;
}

/** How an assignment is put on record and told. */
export interface Told {
  readonly eventType: string;
  readonly action: string;
  readonly event?: string;
}

/** That something is given to somebody: one relation, with the right that gives and takes it, and how it is told. */
export interface Assignment<Entry extends RecordEntry<object>, Document extends object> {
  readonly given: Given<Entry>;
  readonly holder: Holder<Document>;
  readonly right: SystemPermission;
  /** Why one is never given to such a holder; undefined where it can be. */
  readonly refusal?: (entry: Entry) => string | undefined;
  readonly told: Readonly<Record<Direction, Told>>;
}

/** The tuple that says that a holder has something. */
export function tupleOf<Entry extends RecordEntry<object>, Document extends object>(
  { given, holder: { type, relation, nameOf } }: Assignment<Entry, Document>,
  slug: string,
  holder: RecordEntry<Document>,
): Tuple {
  const userset = relation === undefined ? '' : `#${relation}`;
  return {
    object: `${given.type}:${slug}`,
    relation: given.relation,
    subject: `${type}:${nameOf(holder)}${userset}`,
  };
}
