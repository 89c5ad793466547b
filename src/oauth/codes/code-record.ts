import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { digestOf, timeKey } from '../../platform/index.ts';
import type { OpenIdFacts } from '../../sessions/index.ts';

/** Collection of an organization's store. A record's id is the SHA-256 of the code. */
export const codeCollection = 'authorization_codes';

/** What a code stands for. Times are milliseconds since the epoch. */
export interface CodeRecord {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge?: string;
  readonly dpopJkt?: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly scopes: readonly string[];
  readonly resources?: readonly string[];
  readonly openId: OpenIdFacts;
  /** Whether it counts only while the user's consent stands. */
  readonly restsOnConsent: boolean;
  readonly expiresAt: number;
  /** What it was spent for: a code that comes again takes it back. */
  readonly spent?: SpentCode;
}

export interface SpentCode {
  readonly accessId: string;
  readonly grantId?: string;
}

export type CodeEntry = RecordEntry<CodeRecord>;

export const CODE_MS = 60_000;
/** For so long a code that was spent is known. Later it is refused as one that never was. */
export const SPENT_MS = 86_400_000;

function codePut(store: Store, id: string, document: CodeRecord): Change {
  const until = document.spent === undefined ? document.expiresAt : document.expiresAt + SPENT_MS;
  const record = { collection: codeCollection, id, document, indexes: { until: timeKey(until) } };
  return { op: 'put_record', store: store.name, record };
}

/** What puts a code on record. */
export function issuingCode(store: Store, code: string, document: CodeRecord): Change {
  return codePut(store, digestOf(code), document);
}

/** The code, whatever its state. */
export function findCode(store: Store, code: string): CodeEntry | undefined {
  return store.records.get<CodeRecord>(codeCollection, digestOf(code));
}

/** What spends a code: of two at the same moment, one. */
export function spending(
  store: Store,
  { id, version, document }: CodeEntry,
  spent: SpentCode,
): { readonly changes: readonly Change[]; readonly preconditions: readonly Precondition[] } {
  return {
    changes: [codePut(store, id, { ...document, spent })],
    preconditions: [{ require: 'record_version', store: store.name, collection: codeCollection, id, version }],
  };
}
