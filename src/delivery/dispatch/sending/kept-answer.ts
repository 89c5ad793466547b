import { redactText } from '../../../platform/index.ts';
import type { AttemptRequest } from '../channel.ts';

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
