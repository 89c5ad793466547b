import { type Log, OutboundError, type OutboundRequest, redactText } from '../../../platform/index.ts';
import type { AttemptRequest } from '../channel.ts';
import type { Attempt } from '../records/delivery-record.ts';

/** What a receiver answered, as far as it counts. */
export interface Answer extends AnswerBody {
  readonly status: number;
  /** As the receiver wrote it; `''` where it says none. */
  readonly retryAfter: string;
}

/** Makes one request, to an address that was judged. @throws OutboundError */
export type Send = (request: OutboundRequest) => Promise<Answer>;

/** One attempt that was made. */
export interface Made {
  readonly attempt: Attempt;
  /** When the receiver wants the next one, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;
}

export interface AttemptDependencies {
  readonly send: Send;
  readonly clock: { readonly now: () => number };
  readonly log: Pick<Log, 'warn'>;
}

const TIMEOUT_MS = 30_000;

/** Makes one attempt. Never rejects: what fails is in the attempt. Undefined where `make` has nothing to be sent. */
export function sendAttempt(dependencies: AttemptDependencies, make: () => Promise<AttemptRequest>): Promise<Made>;
export function sendAttempt(
  dependencies: AttemptDependencies,
  make: () => Promise<AttemptRequest | undefined>,
): Promise<Made | undefined>;
export async function sendAttempt(
  { send, clock, log }: AttemptDependencies,
  make: () => Promise<AttemptRequest | undefined>,
): Promise<Made | undefined> {
  const at = clock.now();
  const startedAt = performance.now();
  const ended = (found: Partial<Attempt>, retryAfterMs?: number): Made => ({
    attempt: { at, durationMs: Math.round(performance.now() - startedAt), ...found },
    retryAfterMs,
  });
  try {
    const request = await make();
    if (request === undefined) return undefined;
    const answer = await send({
      ...request,
      timeoutMs: TIMEOUT_MS,
      bodyMax: ANSWER_KEPT_MAX,
      longBody: 'cut',
    });
    const { status, retryAfter } = answer;
    const response = keptAnswer(answer, request);
    return ended({ status, ...(response === '' ? {} : { response }) }, retryAfterOf(retryAfter, at));
  } catch (error) {
    if (error instanceof OutboundError) return ended({ error: toldOf(error.code) });
    log.warn({ error }, 'a delivery could not be prepared');
    return ended({ error: 'not_prepared' });
  }
}

/** Which names have private addresses is the operator's alone: administrators see no difference to names that have none. */
function toldOf(code: OutboundError['code']): string {
  return code === 'refused_address' || code === 'unresolved' ? 'unreachable' : code;
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = text.length > 64 || text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Bytes that are kept of an answer. */
export const ANSWER_KEPT_MAX = 4096;
const MASK = '********';
/** Shorter parts of headers and addresses are no secrets, and would be found in any text. */
const SECRET_MIN = 8;
/** The same of one part of a path: many are words. */
const SEGMENT_MIN = 16;
/** Headers that are shown anyway. */
const isPlain = /^(?:content-type|user-agent|accept|webhook-(?:id|timestamp))$|-(?:event|delivery-id)$/i;
/** Where a text breaks off within what may be a credential, too short to be known as one. */
const credentialAtEnd = /(?:\b(?:Bearer|Basic|ApiKey|DPoP)\s+|rlt_)\S*$/i;

/** What was read of an answer's body. */
export interface AnswerBody {
  readonly body: Buffer;
  /** Whether there was more. */
  readonly isCut: boolean;
}

/**
 * What is kept of an answer's body: its begin, without secrets, also those of the request that a receiver echoes, and
 * without characters that would make a log or a page something else. A secret in which it breaks off is none of it either.
 */
export function keptAnswer({ body, isCut }: AnswerBody, request: Pick<AttemptRequest, 'url' | 'headers'>): string {
  // most receivers answer nothing
  if (body.length === 0) return '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  let text = body.toString('utf8', 0, ANSWER_KEPT_MAX).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
  // what holds another one comes before it
  const secrets = [...secretsIn(request.url), ...secretsOf(request)].sort((a, b) => b.length - a.length);
  for (const secret of secrets) text = text.replaceAll(secret, MASK);
  if (!isCut && body.length <= ANSWER_KEPT_MAX) return redactText(text);
  const begun = Math.max(...secrets.map((secret) => begunAtEnd(text, secret)), 0);
  const kept = redactText(text.slice(0, text.length - begun)).replace(credentialAtEnd, MASK);
  return begun === 0 || kept.endsWith(MASK) ? kept : kept + MASK;
}

/** A receiver may echo a token without its scheme, or one signature of several. */
function secretsOf({ headers = {} }: Pick<AttemptRequest, 'headers'>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isPlain.test(name) ? [] : value.split(' ').filter(({ length }) => length >= SECRET_MIN),
  );
}

/** Of an address all but the host can be one, and many receivers say which path it is that they do not know. */
function secretsIn(address: string): string[] {
  const { pathname, search, searchParams } = new URL(address);
  const parts = [pathname + search, pathname, search.slice(1), ...searchParams.values()];
  return [
    ...parts.filter(({ length }) => length >= SECRET_MIN),
    ...pathname.split('/').filter(({ length }) => length >= SEGMENT_MIN),
  ];
}

/** How many of a secret's first characters are the last of a text. */
function begunAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
