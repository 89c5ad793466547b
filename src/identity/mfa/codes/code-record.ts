import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { defineRecord } from '../../../kernel/records/index.ts';
import { digestOf } from '../../../platform/index.ts';
import type { Whose } from '../dependencies.ts';

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
const codeSchema = z.strictObject({
  userId: z.string(),
  /** Where it went. */
  to: z.string(),
  /** Sealed: a digest of six digits would be searched in a moment. Absent once it is void. */
  sealed: z.string().exactOptional(),
  tries: z.int(),
  sentAt: z.number(),
  sends: z.int(),
});

/** What a user, or one receiver, was sent within an hour. */
const sendsSchema = z.strictObject({ firstAt: z.number(), sends: z.int() });

export type CodeRecord = z.output<typeof codeSchema>;
export type SendsRecord = z.output<typeof sendsSchema>;

/** Codes that were sent (`codeId`), and how many (`sendsId`), as long as it is remembered that they were. */
export const codeRecords = defineRecord({
  collection: 'factor_codes',
  holds: 'a code that was sent to prove or add a factor, or how many were sent',
  schema: z.union([codeSchema, sendsSchema]),
  expires: {
    index: 'until',
    at: (document) => ('sentAt' in document ? document.sentAt : document.firstAt) + codeTimes.windowMs,
  },
});

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

/** @param id a `codeId` */
export function getCode(store: Store, id: string): RecordEntry<CodeRecord> | undefined {
  return codeRecords.get(store, id) as RecordEntry<CodeRecord> | undefined;
}

/** @param id a `sendsId` */
export function getSends(store: Store, id: string): RecordEntry<SendsRecord> | undefined {
  return codeRecords.get(store, id) as RecordEntry<SendsRecord> | undefined;
}
