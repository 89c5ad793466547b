import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { digestOf, timeKey } from '../../platform/index.ts';
import type { Whose } from '../parts.ts';

/** Collection of an organization's store: codes that were sent, and how many. */
export const codeCollection = 'factor_codes';

/** Times are milliseconds since the epoch. */
export const codeTimes = {
  /** How long a code works. */
  lifeMs: 5 * 60_000,
  /** Before another one is sent. */
  gapMs: 30_000,
  /** How long it is remembered what a flow or user was sent. */
  windowMs: 60 * 60_000,
} as const;

export const TRIES_MAX = 5;
/** Codes of one flow and receiver. */
export const SENDS_MAX = 5;
/** Codes of one user in an hour, through all flows. */
export const USER_SENDS_MAX = 20;
/** Codes in an hour to register one number or address, whoever asks: people are not to be pestered. */
export const RECEIVER_SENDS_MAX = 10;

/** The latest code for one receiver in one flow. */
export interface CodeRecord {
  readonly userId: string;
  /** Where it went. */
  readonly to: string;
  /** Sealed: a digest of six digits would be searched in a moment. Absent once it is void. */
  readonly sealed?: string;
  readonly tries: number;
  readonly sentAt: number;
  readonly sends: number;
}

/** What a user, or one receiver, was sent within an hour. */
export interface SendsRecord {
  readonly firstAt: number;
  readonly sends: number;
}

/** What a code is for: to prove a factor, or to register one of a type. */
export type CodePurpose =
  | { readonly prove: string }
  | { readonly enrol: 'sms'; readonly number: string }
  | { readonly enrol: 'email' };

/** One record for what can be asked for once in a flow: another number replaces the one before. */
export function codeId({ userId, binding }: Whose, purpose: CodePurpose): string {
  const what = 'prove' in purpose ? ['prove', purpose.prove] : ['enrol', purpose.enrol];
  return digestOf(JSON.stringify([userId, binding, ...what]));
}

/** Of what is counted. */
export function sendsId(kind: 'user' | 'to', name: string): string {
  return `${kind}:${digestOf(name)}`;
}

export function getRecord<T>(store: Store, id: string): RecordEntry<T> | undefined {
  return store.records.get<T>(codeCollection, id);
}

/** @param until when nobody needs it any longer */
export function putRecord(store: Store, id: string, document: CodeRecord | SendsRecord, until: number): Change {
  const record = { collection: codeCollection, id, document, indexes: { until: timeKey(until) } };
  return { op: 'put_record', store: store.name, record };
}

export function deleteRecord(store: Store, id: string): Change {
  return { op: 'delete_record', store: store.name, collection: codeCollection, id };
}

export function recordAt(store: Store, id: string, known: { readonly version: number } | undefined): Precondition {
  const place = { store: store.name, collection: codeCollection, id };
  return known === undefined
    ? { require: 'record_absent', ...place }
    : { require: 'record_version', ...place, version: known.version };
}
