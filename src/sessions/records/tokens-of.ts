import type { Store } from '#engine';
import { getToken, type TokenEntry, tokenCollection } from './token-record.ts';

const PAGE = 1000;

/** The first tokens that a user has by a client, whether or not they are still good. To be called inside `Engine.read`. */
export function tokensOf(
  store: Store,
  { userId, clientId }: { readonly userId: string; readonly clientId: string },
  limit: number,
): TokenEntry[] {
  const found: TokenEntry[] = [];
  const index = store.recordIndex(tokenCollection);
  for (let skip = 0; found.length < limit; skip += PAGE) {
    const ids = index.ids('user', userId, { limit: PAGE, skip });
    for (const id of ids) {
      const token = getToken(store, id);
      if (token?.document.clientId === clientId && found.length < limit) found.push(token);
    }
    if (ids.length < PAGE) break;
  }
  return found;
}

/** The first tokens of a user by whatever client. To be called inside `Engine.read`. */
export function tokensOfUser(store: Store, userId: string, limit: number): TokenEntry[] {
  const ids = store.recordIndex(tokenCollection).ids('user', userId, { limit });
  return ids.flatMap((id) => getToken(store, id) ?? []);
}
