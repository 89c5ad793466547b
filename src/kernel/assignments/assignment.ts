import type { Change, Precondition, RecordEntry, Store, Tuple } from '#engine';
import type { AuditEvent } from '../audit/index.ts';
import type { DomainEvent } from '../events/index.ts';
import type { RecordKind } from '../records/index.ts';
import type { SystemPermission } from '../rights/index.ts';
import { type Asking, requireHeldThrough } from '../transactions/index.ts';
import type { Telling } from './telling.ts';

export type Direction = 'assigned' | 'revoked';

/** @throws ProblemError 403 where the caller does not hold what is given */
export type RequireHeld = (asking: Asking, slug: string) => void;

/** What can be given, as it is described: a role, membership of a group, a permission. */
export interface AssignableDescription<Document> {
  readonly records: RecordKind<Document>;
  /** Of the objects whose tuples say who has it: `role` of `role:editor#assignee`. */
  readonly type: string;
  /** `assignee` of `role:editor#assignee`. */
  readonly relation: string;
  /** Gives and takes it, where no assignment of it says otherwise. */
  readonly right: SystemPermission;
  /** Whether everybody (`user:*`) may have it without a condition. */
  readonly isOpenToAll?: boolean;
  readonly slugOf: (document: Document) => string;
  /** By the unique key `slug`, if omitted. */
  readonly bySlug?: (store: Store, slug: string) => RecordEntry<Document> | undefined;
  /** It must still give what it gave when that was judged: its record must be the same, if omitted. */
  readonly expectedVersions?: (store: Store, entry: RecordEntry<Document>) => readonly Precondition[];
  /** Whose rights are given with it; `role:editor#assignee` of a role if omitted. */
  readonly source?: (slug: string) => string;
  /** Nobody gives what they do not hold: all that its source gives, if omitted. @throws ProblemError 403 */
  readonly requireHeld?: RequireHeld;
  /** How a raw tuple makes the record of one that it names; if omitted, such a tuple is refused. */
  readonly maker?: Maker<Document>;
}

export type Assignable<Document> = Required<Omit<AssignableDescription<Document>, 'maker'>> &
  Pick<AssignableDescription<Document>, 'maker'>;

/** Who can have something: a user, the members of a group, whoever has a role, a program. */
export interface Holder<Document> {
  /** Of the subjects of such tuples: `group` of `group:eng#member`. */
  readonly type: string;
  /** As the audit log names the type, where it has another name for it. */
  readonly targetType?: string;
  /** `member` of `group:eng#member`; absent where the subject is the holder itself. */
  readonly relation?: string;
  readonly records: RecordKind<Document>;
  /** What names one in a subject: `eng` of `group:eng#member`. */
  readonly nameOf: (entry: RecordEntry<Document>) => string;
  /** Called inside a snapshot. */
  readonly byName: (store: Store, name: string) => RecordEntry<Document> | undefined;
  /** What audit entries say about it, beside its id. */
  readonly audited: (entry: RecordEntry<Document>) => Readonly<Record<string, unknown>>;
  /**
   * The holder's record, written beside the tuple, where others are given what the holder has: whoever gives that at
   * the same moment judges again.
   */
  readonly touched?: (document: Document, now: number) => Document;
  /**
   * Nobody gives to one, or takes from one, that holds more than they do. Asked once by whoever changes what it has:
   * its own endpoints, and the one of raw tuples. @throws ProblemError 403
   */
  readonly requireChangeable?: (asking: Asking, id: string) => void;
  /** Why one is given nothing; undefined where it can be. */
  readonly refusal?: (document: Document) => string | undefined;
  /** Where it is a change of itself: what of it is told by its own endpoints. */
  readonly changed?: ChangedHolder<Document>;
}

/** How one is changed whose own endpoints say all that it has: giving and taking is told as a change of it, for good. */
export interface ChangedHolder<Document> {
  /** Slugs of what it was given of a type by tuples of its own. Called inside a snapshot. */
  readonly given: (store: Store, id: string, type: string) => readonly string[];
  /** The audit entry of its change. */
  readonly audit: (holder: RecordEntry<Document>, changes: object) => AuditEvent;
  /** Its record after a change; it stays as it is, if omitted. */
  readonly document?: (document: Document, now: number) => Document;
}

/** What is given: its slug, and the id of its record, null where there is none (any more). */
export interface AssignableName {
  readonly id: string | null;
  readonly slug: string;
}

/** How an assignment is put on record and told. */
export interface Told<Document> {
  readonly eventType: string;
  readonly action: string;
  readonly event?: (assignable: AssignableName, holder: RecordEntry<Document>) => DomainEvent;
}

export interface AssignmentDescription<Thing extends object, Document extends object> {
  readonly assignable: AssignableDescription<Thing>;
  readonly holder: Holder<Document>;
  /** All that give and take it; the one of what is given, if omitted. */
  readonly rights?: readonly SystemPermission[];
  /** Why one is never given to such a holder; undefined where it can be. */
  readonly refusal?: (document: Thing) => string | undefined;
  /** `role.assign` and `role.unassign`, and no event, if omitted. */
  readonly told?: Readonly<Record<Direction, Told<Document>>>;
}

/** That something is given to somebody: one relation, with the rights that give and take it, and how it is told. */
export interface Assignment<Thing extends object, Document extends object>
  extends Required<AssignmentDescription<Thing, Document>> {
  readonly assignable: Assignable<Thing>;
}

/** A description with what it omits. */
export function completeAssignment<Thing extends object, Document extends object>(
  description: AssignmentDescription<Thing, Document>,
): Assignment<Thing, Document> {
  const assignable = completeAssignable(description.assignable);
  const { type } = assignable;
  return {
    rights: [assignable.right],
    refusal: () => undefined,
    told: {
      assigned: { eventType: 'admin.action', action: `${type}.assign` },
      revoked: { eventType: 'admin.action', action: `${type}.unassign` },
    },
    ...description,
    assignable,
  };
}

function completeAssignable<Document>(description: AssignableDescription<Document>): Assignable<Document> {
  const { records, type, relation } = description;
  const { source = (slug: string) => `${type}:${slug}#${relation}` } = description;
  return {
    isOpenToAll: false,
    bySlug: (store, slug) => records.byUnique(store, 'slug', slug),
    expectedVersions: (store, entry) => [records.same(store, entry)],
    requireHeld: (asking, slug) => requireHeldThrough(asking, source(slug)),
    ...description,
    source,
  };
}

/** The tuple that says that a holder has something. */
export function tupleOf<Thing extends object, Document extends object>(
  { assignable, holder: { type, relation, nameOf } }: Assignment<Thing, Document>,
  slug: string,
  holder: RecordEntry<Document>,
): Tuple {
  const userset = relation === undefined ? '' : `#${relation}`;
  return {
    object: `${assignable.type}:${slug}`,
    relation: assignable.relation,
    subject: `${type}:${nameOf(holder)}${userset}`,
  };
}

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
