import { redactText } from '../../../platform/index.ts';
import type { AttemptRequest } from '../channel.ts';

/** Bytes that are kept of an answer. */
export const ANSWER_KEPT_MAX = 4096;
const MASK = '********';
/** Shorter parts of headers are no secrets, and would be found in any text. */
const SECRET_MIN = 8;
/** Headers that are shown anyway. */
const isPlain = /^(?:content-type|user-agent|accept|webhook-(?:id|timestamp))$|-(?:event|delivery-id)$/i;

/**
 * What is kept of an answer's body: its begin, without secrets, also those of the request that a receiver echoes, and
 * without characters that would make a log or a page something else.
 */
export function keptAnswer(body: Buffer, { headers = {} }: Pick<AttemptRequest, 'headers'>): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  let text = body.toString('utf8', 0, ANSWER_KEPT_MAX).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
  for (const [name, value] of Object.entries(headers)) {
    // a receiver may echo the token without its scheme, or one signature of several
    const parts = isPlain.test(name) ? [] : value.split(' ').filter(({ length }) => length >= SECRET_MIN);
    for (const part of parts) text = text.replaceAll(part, MASK);
  }
  return redactText(text);
}
