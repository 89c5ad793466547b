import type { Store } from '#engine';
import type { Slice } from '../../../kernel/lists/index.ts';
import { type TokenEntry, tokenRecords } from '../records/token-record.ts';
import { standingTokens } from './gone.ts';
import { countStanding, standingAmong, standingIds } from './standing.ts';
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
  const found = standingAmong(standing, narrowed.sort());
  if (slice.descending) found.reverse();
  return { items: entries(store, found.slice(slice.offset, slice.offset + slice.limit)), total: found.length };
}

/** In no order, each once. */
function narrowedIds(store: Store, { userId, clientId, search }: TokenFilter): string[] | undefined {
  const index = tokenRecords.index(store);
  const lists: string[][] = [];
  if (userId !== undefined) lists.push([...tokenIdsOf(index, 'user', userId)]);
  if (clientId !== undefined) lists.push([...tokenIdsOf(index, 'client', clientId)]);
  if (search !== undefined && search !== '') {
    const own = tokenRecords.get(store, search) === undefined ? [] : [search];
    const all = [...own, ...tokenIdsOf(index, 'user', search), ...tokenIdsOf(index, 'client', search)];
    lists.push([...new Set(all)]);
  }
  const [first, ...others] = lists;
  const sets = others.map((each) => new Set(each));
  return first?.filter((id) => sets.every((each) => each.has(id)));
}

function entries(store: Store, ids: readonly string[]): TokenEntry[] {
  return ids.flatMap((id) => tokenRecords.get(store, id) ?? []);
}
