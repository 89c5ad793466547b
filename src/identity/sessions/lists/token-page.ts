import type { Store } from '#engine';
import { type TokenEntry, tokenRecords } from '../records/token-record.ts';
import { standingTokens } from './gone.ts';
import { countStanding, isStanding, type Slice, standingIds } from './standing.ts';
import { tokenIdsOf } from './tokens-of.ts';

/** Which tokens are wanted: plain data, which crosses threads. */
export interface TokenFilter {
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
  /** An exact id of a token, a user or a client. */
  readonly search?: string | undefined;
}

/** One page of the tokens that are good, in the order of their issue. To be called inside `Engine.read`. */
export function tokenPage(store: Store, filter: TokenFilter, slice: Slice, now: number) {
  const standing = standingTokens(store, now);
  const narrowed = narrowedIds(store, filter);
  if (narrowed === undefined) {
    return { items: entries(store, standingIds(standing, slice)), total: countStanding(standing) };
  }
  const found = [...narrowed].filter((id) => isStanding(standing, id)).sort();
  if (slice.descending) found.reverse();
  return { items: entries(store, found.slice(slice.offset, slice.offset + slice.limit)), total: found.length };
}

function narrowedIds(store: Store, { userId, clientId, search }: TokenFilter): Set<string> | undefined {
  const index = tokenRecords.index(store);
  const sets: Set<string>[] = [];
  if (userId !== undefined) sets.push(new Set(tokenIdsOf(index, 'user', userId)));
  if (clientId !== undefined) sets.push(new Set(tokenIdsOf(index, 'client', clientId)));
  if (search !== undefined && search !== '') {
    const own = tokenRecords.get(store, search) === undefined ? [] : [search];
    sets.push(new Set([...own, ...tokenIdsOf(index, 'user', search), ...tokenIdsOf(index, 'client', search)]));
  }
  const [first, ...others] = sets;
  if (first === undefined) return undefined;
  return new Set([...first].filter((id) => others.every((each) => each.has(id))));
}

function entries(store: Store, ids: readonly string[]): TokenEntry[] {
  return ids.flatMap((id) => tokenRecords.get(store, id) ?? []);
}
