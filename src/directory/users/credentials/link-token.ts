import type { RecordEntry, Store } from '#engine';
import type { RecordKind } from '../../../kernel/records/index.ts';
import { digestOf, randomText } from '../../../platform/index.ts';

/** 43 characters of 62 are 256 random bits. */
const TOKEN_LENGTH = 43;

/** The token of a link for the mail alone, and what a record keeps of it, under the unique key `digest`. */
export function newLinkToken(): { readonly token: string; readonly digest: string } {
  const token = randomText(TOKEN_LENGTH);
  return { token, digest: digestOf(token) };
}

/** The record of a link that can still be followed. Only digests are compared, by the index. */
export function linkOfToken<T extends { readonly purpose: string; readonly expiresAt: number }>(
  store: Store,
  kind: Pick<RecordKind<T>, 'byUnique'>,
  token: string,
  purpose: T['purpose'],
  now: number,
): RecordEntry<T> | undefined {
  if (token.length !== TOKEN_LENGTH) return undefined;
  const entry = kind.byUnique(store, 'digest', digestOf(token));
  return entry?.document.purpose === purpose && now < entry.document.expiresAt ? entry : undefined;
}
