import type { IndexReader, Store } from '#engine';
import { findUserByEmail, findUserByNumber, getUser } from '../../../directory/records/index.ts';
import { fromNearerEnd, type Slice } from '../../../kernel/lists/index.ts';
import { normaliseAddress } from '../../../platform/index.ts';
import { endedKey, getSession, sessionRecords } from '../records/session-record.ts';
import { standingSessions } from './gone.ts';
import { countAll, countStanding, idsOf, type Standing, standingAmong, standingIds } from './standing.ts';

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
  const active = new Set(standingAmong(standing, ids));
  const items = ids.flatMap((id) => {
    const session = getSession(store, id);
    return session === undefined ? [] : [{ session, isActive: active.has(id) }];
  });
  return { items, total };
}

/** Exact, and at once: the writer keeps the counts, and what has ended since is found by its time. */
export function sessionStats(store: Store, now: number) {
  const total = countAll(sessionRecords.index(store));
  const active = countStanding(standingSessions(store, now));
  return { total, active, inactive: total - active };
}

interface IdPage {
  readonly ids: readonly string[];
  readonly total: number;
}

function pageOfIds(store: Store, standing: Standing, filter: SessionFilter, slice: Slice): IdPage {
  const { index } = standing;
  const { isActive } = filter;
  const narrowed = narrowedIds(store, filter);
  if (narrowed !== undefined) return sliceOf(withState(standing, narrowed, isActive), slice);
  if (isActive === true) return { ids: standingIds(standing, slice), total: countStanding(standing) };
  const total = countAll(index);
  if (isActive === undefined) return { ids: counted(index, undefined, '', total, slice), total };
  const ended = index.counted('#state', endedKey);
  if (total - countStanding(standing) === ended) {
    return { ids: counted(index, '#state', endedKey, ended, slice), total: ended };
  }
  // many have just been ended at once: until they are settled, the index of those that have ended is not all of them
  return sliceOf(withState(standing, [...idsOf(index, undefined, '')], false), slice);
}

/** Ids of a key of an index that has so many. */
function counted(index: IndexReader, name: string | undefined, key: string, count: number, slice: Slice): string[] {
  return fromNearerEnd(slice, count, ({ offset, ...page }) => index.ids(name, key, { skip: offset, ...page }));
}

function withState(standing: Standing, ids: string[], isActive: boolean | undefined): string[] {
  if (isActive === undefined) return ids;
  const active = standingAmong(standing, ids);
  if (isActive) return active;
  const known = new Set(active);
  return ids.filter((id) => !known.has(id));
}

/** The ids that a filter leaves of all, in their order; `undefined` where it leaves all. */
function narrowedIds(store: Store, { user, ipAddress, search }: SessionFilter): string[] | undefined {
  const index = sessionRecords.index(store);
  let narrowed: string[] | undefined;
  // what nobody knows has no sessions: none stands under an empty key
  const by = (name: string, key = ''): void => {
    narrowed = narrowed === undefined ? [...idsOf(index, name, key)] : index.among(name, key, narrowed);
  };
  if (search !== undefined && search !== '') {
    const text = search.trim();
    if (getSession(store, text) !== undefined) narrowed = [text];
    else if (normaliseAddress(text) !== '') by('address', normaliseAddress(text));
    else by('user', getUser(store, text)?.id ?? findUserByEmail(store, text)?.id);
  }
  if (user !== undefined) by('user', typeof user === 'string' ? user : findUserByNumber(store, user)?.id);
  if (ipAddress !== undefined) by('address', normaliseAddress(ipAddress));
  return narrowed;
}

function sliceOf(ids: readonly string[], { offset, limit, descending }: Slice): IdPage {
  const inOrder = descending ? ids.toReversed() : ids;
  return { ids: inOrder.slice(offset, offset + limit), total: ids.length };
}
