import type { Precondition, RecordEntry, Store, Tuple } from '#engine';
import type { DomainEvent } from '../events/index.ts';
import type { Caller } from '../organizations/index.ts';
import type { RecordKind } from '../records/index.ts';
import type { SystemPermission } from '../rights/index.ts';
import { type AdminDependencies, requireHeldThrough } from '../transactions/index.ts';

export type Direction = 'given' | 'taken';

/** @throws ProblemError 403 where the caller does not hold what is given */
export type RequireHeld = (dependencies: AdminDependencies, caller: Caller, slug: string, now: number) => void;

/** What can be given: a role, membership of a group, a permission. */
export interface Given<Document> {
  readonly records: RecordKind<Document>;
  /** Of the objects whose tuples say who has it: `role` of `role:editor#assignee`. */
  readonly type: string;
  /** `assignee` of `role:editor#assignee`. */
  readonly relation: string;
  /** Whether everybody (`user:*`) may have it without a condition. */
  readonly isOpenToAll?: boolean;
  readonly slugOf: (document: Document) => string;
  /** By the unique key `slug`, if omitted. */
  readonly bySlug?: (store: Store, slug: string) => RecordEntry<Document> | undefined;
  /** What it gives must be what it gave when that was judged: its record must be the same, if omitted. */
  readonly expectedVersions?: (store: Store, entry: RecordEntry<Document>) => readonly Precondition[];
  /** Whose rights are given with it; `role:editor#assignee` of a role if omitted. */
  readonly source?: (slug: string) => string;
  /** Nobody gives what they do not hold: all that its source is given, if omitted. @throws ProblemError 403 */
  readonly requireHeld?: RequireHeld;
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
  /** What audit entries say about it, beside its id. */
  readonly audited: (entry: RecordEntry<Document>) => Readonly<Record<string, unknown>>;
  /**
   * The holder's record as it is written beside the tuple, where others are given what the holder has: whoever gives
   * that at the same moment judges again.
   */
  readonly touched?: (document: Document, now: number) => Document;
}

/** What is given: its slug, and the id of its record, null where there is none (any more). */
export interface GivenName {
  readonly id: string | null;
  readonly slug: string;
}

/** How an assignment is put on record and told. */
export interface Told<Document> {
  readonly eventType: string;
  readonly action: string;
  readonly event?: (given: GivenName, holder: RecordEntry<Document>) => DomainEvent;
}

/** That something is given to somebody: one relation, with the right that gives and takes it, and how it is told. */
export interface Assignment<Thing extends object, Document extends object> {
  readonly given: Given<Thing>;
  readonly holder: Holder<Document>;
  readonly right: SystemPermission;
  /** Why one is never given to such a holder; undefined where it can be. */
  readonly refusal?: (document: Thing) => string | undefined;
  /** `role.assign` and `role.unassign`, and no event, if omitted. */
  readonly told?: Readonly<Record<Direction, Told<Document>>>;
}

/** The tuple that says that a holder has something. */
export function tupleOf<Thing extends object, Document extends object>(
  { given, holder: { type, relation, nameOf } }: Assignment<Thing, Document>,
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

/** Whose rights are given with something. */
export function sourceOf(
  { type, relation, source }: Pick<Given<never>, 'type' | 'relation' | 'source'>,
  slug: string,
): string {
  return source?.(slug) ?? `${type}:${slug}#${relation}`;
}

export function requireHeldOf(given: Pick<Given<never>, 'type' | 'relation' | 'source' | 'requireHeld'>): RequireHeld {
  return (
    given.requireHeld ??
    ((dependencies, caller, slug, now) => requireHeldThrough(dependencies, caller, sourceOf(given, slug), now))
  );
}

/** What must still stand when one is given. To be called inside the snapshot that judges. */
export function expectedVersions<Document>(
  { records, expectedVersions }: Pick<Given<Document>, 'records' | 'expectedVersions'>,
  store: Store,
  entry: RecordEntry<Document>,
): readonly Precondition[] {
  return expectedVersions?.(store, entry) ?? [records.same(store, entry)];
}

/** To be called inside a snapshot. */
export function findGiven<Document>(
  { records, bySlug }: Pick<Given<Document>, 'records' | 'bySlug'>,
  store: Store,
  slug: string,
): RecordEntry<Document> | undefined {
  return bySlug === undefined ? records.byUnique(store, 'slug', slug) : bySlug(store, slug);
}

const verbs: Readonly<Record<Direction, string>> = { given: 'assign', taken: 'unassign' };

export function toldOf<Document extends object>(
  { type }: Pick<Given<never>, 'type'>,
  told: Assignment<never, Document>['told'],
  direction: Direction,
): Told<Document> {
  return told?.[direction] ?? { eventType: 'admin.action', action: `${type}.${verbs[direction]}` };
}
