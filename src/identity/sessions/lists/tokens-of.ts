import type { IndexReader, Store } from '#engine';
import { childIndexes, grantIndexes, type TokenEntry, tokenRecords } from '../records/token-record.ts';
import { idsOf } from './standing.ts';

/** Whose tokens are looked for. */
export type TokenOwner = 'client' | keyof typeof grantIndexes;

/**
 * Ids of all tokens of a user, a client or a session. Users and sessions have few grants, through which the others are
 * found; a client may have any number, and all of its tokens stand under its name.
 */
export function* tokenIdsOf(index: IndexReader, owner: TokenOwner, id: string): Generator<string> {
  yield* idsOf(index, owner, id);
  if (owner === 'client') return;
  for (const grant of idsOf(index, grantIndexes[owner], id)) {
    yield grant;
    yield* idsOf(index, 'grant', grant);
  }
}

/**
 * The first tokens of a user that hang on no grant: grants, and tokens that were issued without one. What hangs on these
 * ends with them. To be called inside `Engine.read`.
 */
export function rootTokensOf(store: Store, userId: string, limit: number): TokenEntry[] {
  const index = tokenRecords.index(store);
  const ids = ['user', grantIndexes.user].flatMap((name) => index.ids(name, userId, { limit }));
  return ids.slice(0, limit).flatMap((id) => tokenRecords.get(store, id) ?? []);
}

/** The first of them. */
export function firstTokenIdsOf(store: Store, owner: TokenOwner, id: string, limit: number): string[] {
  const found: string[] = [];
  for (const each of tokenIdsOf(tokenRecords.index(store), owner, id)) {
    if (found.push(each) >= limit) break;
  }
  return found;
}

export function hasTokens(store: Store, owner: TokenOwner, id: string): boolean {
  return isAnyUnder(store, owner === 'client' ? [owner] : [owner, grantIndexes[owner]], id);
}

/** Ids of the tokens that a grant has issued, or that were exchanged for a token. */
export function* childIdsOf(index: IndexReader, id: string): Generator<string> {
  for (const name of childIndexes) yield* idsOf(index, name, id);
}

export function hasChildren(store: Store, id: string): boolean {
  return isAnyUnder(store, childIndexes, id);
}

function isAnyUnder(store: Store, names: readonly string[], key: string): boolean {
  const index = tokenRecords.index(store);
  return names.some((name) => index.ids(name, key, { limit: 1 }).length > 0);
}

/**
 * The first tokens of a user, by one client or by whatever client, whether or not they are still good. To be called inside
 * `Engine.read`.
 */
export function tokensOf(
  store: Store,
  { userId, clientId }: { readonly userId: string; readonly clientId?: string },
  limit: number,
): TokenEntry[] {
  const found: TokenEntry[] = [];
  for (const id of tokenIdsOf(tokenRecords.index(store), 'user', userId)) {
    const token = tokenRecords.get(store, id);
    if (token !== undefined && token.document.clientId === (clientId ?? token.document.clientId)) found.push(token);
    if (found.length === limit) break;
  }
  return found;
}
