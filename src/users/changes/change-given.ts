import type { Change, Precondition, Store, Tuple } from '#engine';
import {
  commitPlan,
  type DomainEvent,
  invalid,
  notFound,
  type Plan,
  requireHeldToTake,
  requirePermission,
  takeTuples,
} from '../../admin/index.ts';
import type { Happening, RequestFacts } from '../../audit/index.ts';
import { slugsOf, tuplesOf, type UserEntry, userRecords, userSubject } from '../../directory/index.ts';
import type { Caller } from '../../orgs/index.ts';
import { requireUser } from '../find-user.ts';
import type { UserParts } from '../parts.ts';
import { entriesOf, type GivenEntry, type GivenKind, givenEvent } from './given.ts';
import type { Target } from './update-user.ts';
import { aboutUser } from './user-events.ts';

/** Gives a user one role, group or permission. Nothing happens where the user has it already. */
export function give(
  parts: UserParts,
  caller: Caller,
  facts: RequestFacts,
  target: Target,
  kind: GivenKind,
  givenId: string,
): Promise<UserEntry> {
  return change(parts, caller, facts, target, kind, (store) => {
    const entry = kind.byId(store, givenId);
    if (entry === undefined) throw invalid(kind.idName, `there is no such ${kind.type}`);
    return { give: [entry], take: [] };
  });
}

/** Takes one away. @throws ProblemError 404 where the user does not have it */
export function take(
  parts: UserParts,
  caller: Caller,
  facts: RequestFacts,
  target: Target,
  kind: GivenKind,
  givenId: string,
): Promise<UserEntry> {
  return change(parts, caller, facts, target, kind, (store, user) => {
    const entry = kind.byId(store, givenId);
    if (entry === undefined) throw notFound();
    const slug = kind.slug(entry);
    if (!slugsOf(store, userSubject(user.id), kind.type).includes(slug)) throw notFound();
    return { give: [], take: [slug] };
  });
}

/** Gives exactly these, and takes every other one away. */
export function replaceGiven(
  parts: UserParts,
  caller: Caller,
  facts: RequestFacts,
  target: Target,
  kind: GivenKind,
  slugs: readonly string[],
): Promise<UserEntry> {
  return change(parts, caller, facts, target, kind, (store, user) => {
    const wanted = entriesOf(kind, store, slugs);
    const kept = new Set(wanted.map((entry) => kind.slug(entry)));
    const taken = slugsOf(store, userSubject(user.id), kind.type).filter((slug) => !kept.has(slug));
    return { give: wanted, take: taken };
  });
}

interface Wish {
  readonly give: readonly GivenEntry[];
  /** Slugs: what is taken away need not have a record any more. */
  readonly take: readonly string[];
}

function change(
  parts: UserParts,
  caller: Caller,
  facts: RequestFacts,
  { reference, family }: Target,
  kind: GivenKind,
  wish: (store: Store, user: UserEntry) => Wish,
): Promise<UserEntry> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now) => {
    requirePermission(caller, kind.permission);
    const user = requireUser(store, reference, family);
    const { give: wanted, take: taken } = wish(store, user);
    const given = wanted.filter((entry) => !hasForGood(store, kind.tuple(kind.slug(entry), user.id)));
    for (const entry of given) kind.requireHeld(parts, caller, kind.slug(entry), now);
    for (const slug of taken) requireHeldToTake(parts, caller, kind.source(slug), now);
    return planGiven(store, user, kind, { give: given, take: taken }, now);
  });
}

/** A tuple with a condition or an expiry is less than what is asked for, and is replaced. */
function hasForGood(store: Store, { object, relation, subject }: Tuple): boolean {
  const [stored] = tuplesOf(store, { object, relation, subject });
  return stored !== undefined && stored.condition === undefined && stored.expiresAt === undefined;
}

function planGiven(
  store: Store,
  user: UserEntry,
  kind: GivenKind,
  { give: given, take: taken }: Wish,
  now: number,
): Plan<UserEntry> {
  if (given.length === 0 && taken.length === 0) return { changes: [], entries: [], result: user };
  const { id, version } = user;
  const document = { ...user.document, updatedAt: now };
  const givenTuples = given.map((entry) => kind.tuple(kind.slug(entry), id));
  const takes = takeTuples(
    store,
    taken.map((slug) => kind.tuple(slug, id)),
  );
  // the record is put as well, so that of two changes at once the second one sees the first
  const changes: Change[] = [userRecords.put(store, id, document), ...takes.changes];
  if (givenTuples.length > 0) changes.push({ op: 'write_tuples', store: store.name, tuples: givenTuples });
  const preconditions: Precondition[] = [
    userRecords.same(store, user),
    ...given.flatMap((entry) => kind.restsOn(store, kind.slug(entry))),
    ...takes.preconditions,
  ];
  const about = { id, email: document.email };
  const tell = (direction: 'given' | 'taken', slug: string): Happening => {
    const { eventType, action } = kind[direction];
    return aboutUser(id, eventType, action, { metadata: { [kind.type]: slug } });
  };
  const events = (direction: 'given' | 'taken', slugs: readonly string[]): DomainEvent[] =>
    slugs.flatMap((slug) => givenEvent(kind, direction, about, slug));
  const givenSlugs = given.map((entry) => kind.slug(entry));
  return {
    changes,
    preconditions,
    entries: [...givenSlugs.map((slug) => tell('given', slug)), ...taken.map((slug) => tell('taken', slug))],
    events: [...events('given', givenSlugs), ...events('taken', taken)],
    result: { id, version: version + 1, document },
  };
}
