import type { IndexReader, Store } from '#engine';
import { findUserByEmail, findUserByNumber, getUser } from '../../../directory/records/index.ts';
import { normaliseAddress } from '../../../platform/index.ts';
import { endedKey, getSession, sessionRecords } from '../records/session-record.ts';
import { standingSessions } from './gone.ts';
import { countStanding, idsOf, isStanding, type Slice, type Standing, standingIds } from './standing.ts';

/** Which sessions are wanted: plain data, which crosses threads. */
export interface SessionFilter {
  /** The id of a user, or its number. */
  readonly user?: string | number | undefined;
  readonly ipAddress?: string | undefined;
  readonly isActive?: boolean | undefined;
  /** An exact session id, user id, email address or IP address. */
  readonly search?: string | undefined;
}

/** One page, in the order of creation. Its total is exact. To be called inside `Engine.read`. */
export function sessionPage(store: Store, filter: SessionFilter, slice: Slice, now: number) {
  const standing = standingSessions(store, now);
  const { ids, total } = pageOfIds(store, standing, filter, slice);
  const items = ids.flatMap((id) => {
    const session = getSession(store, id);
    return session === undefined ? [] : [{ session, isActive: isStanding(standing, id) }];
  });
  return { items, total };
}

/** Exact, and at once: the writer keeps the counts, and what has ended since is found by its time. */
export function sessionStats(store: Store, now: number) {
  const total = countSessions(sessionRecords.index(store));
  const active = countStanding(standingSessions(store, now));
  return { total, active, inactive: total - active };
}

/** Of each state, of which there are few: ended, and open since one epoch or another. */
function countSessions(index: IndexReader): number {
  let total = 0;
  for (let after: string | undefined; ; ) {
    const [key] = index.keys('#state', { after, limit: 1 });
    if (key === undefined) return total;
    total += index.counted('#state', key);
    after = key;
  }
}

interface IdPage {
  readonly ids: readonly string[];
  readonly total: number;
}

function pageOfIds(store: Store, standing: Standing, filter: SessionFilter, slice: Slice): IdPage {
  const { index } = standing;
  const { isActive } = filter;
  const narrowed = narrowedIds(store, filter);
  if (narrowed !== undefined) return walked(narrowed, isActiveTest(standing, isActive), slice);
  if (isActive === true) return { ids: standingIds(standing, slice), total: countStanding(standing) };
  const { offset: skip, limit, descending } = slice;
  const total = countSessions(index);
  const page = { skip, limit, descending };
  if (isActive === undefined) return { ids: skip < total ? index.ids(undefined, '', page) : [], total };
  const ended = index.counted('#state', endedKey);
  if (total - countStanding(standing) === ended) {
    return { ids: skip < ended ? index.ids('#state', endedKey, page) : [], total: ended };
  }
  // many have just been ended at once: until they are settled, the index of those that have ended is not all of them
  return walked(idsOf(index, undefined, ''), isActiveTest(standing, false), slice);
}

function isActiveTest(standing: Standing, isActive: boolean | undefined): (id: string) => boolean {
  return isActive === undefined ? () => true : (id) => isStanding(standing, id) === isActive;
}

/** The ids that a filter leaves of all, in their order; `undefined` where it leaves all. */
function narrowedIds(store: Store, { user, ipAddress, search }: SessionFilter): Iterable<string> | undefined {
  const wanted: ((id: string) => boolean)[] = [];
  const sources: Iterable<string>[] = [];
  const index = sessionRecords.index(store);
  // what nobody knows has no sessions: none stands under an empty key
  const by = (name: string, key = ''): void => {
    sources.push(idsOf(index, name, key));
    wanted.push((id) => index.has(name, key, id));
  };
  if (search !== undefined && search !== '') {
    const text = search.trim();
    if (getSession(store, text) !== undefined) {
      sources.push([text]);
      wanted.push((id) => id === text);
    } else if (normaliseAddress(text) !== '') by('address', normaliseAddress(text));
    else by('user', getUser(store, text)?.id ?? findUserByEmail(store, text)?.id);
  }
  if (user !== undefined) by('user', typeof user === 'string' ? user : findUserByNumber(store, user)?.id);
  if (ipAddress !== undefined) by('address', normaliseAddress(ipAddress));
  const [first] = sources;
  return first === undefined ? undefined : matching(first, wanted);
}

function* matching(ids: Iterable<string>, tests: readonly ((id: string) => boolean)[]): Generator<string> {
  for (const id of ids) if (tests.every((test) => test(id))) yield id;
}

function walked(ids: Iterable<string>, matches: (id: string) => boolean, { offset, limit, descending }: Slice): IdPage {
  const found: string[] = [];
  for (const id of ids) if (matches(id)) found.push(id);
  if (descending) found.reverse();
  return { ids: found.slice(offset, offset + limit), total: found.length };
}
