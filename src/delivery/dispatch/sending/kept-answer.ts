import { type OutboundRequest, redactText } from '../../../platform/index.ts';

/** Bytes that are kept of an answer. */
export const ANSWER_KEPT_MAX = 4096;
const MASK = '********';
/** Shorter values of headers are no secrets, and would be found in any text. */
const SECRET_MIN = 8;
/** Headers that are shown anyway. */
const isPlain = /^(?:content-type|user-agent|accept|webhook-(?:id|timestamp))$|-(?:event|delivery-id)$/i;

/**
 * What is kept of an answer's body: its begin, without secrets, also those of the request that a receiver echoes, and
 * without characters that would make a log or a page something else.
 */
export function keptAnswer(body: Buffer, { headers = {} }: Pick<OutboundRequest, 'headers'>): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  let text = body.toString('utf8', 0, ANSWER_KEPT_MAX).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
  for (const [name, value] of Object.entries(headers)) {
    if (value.length >= SECRET_MIN && !isPlain.test(name)) text = text.replaceAll(value, MASK);
  }
  return redactText(text);
}
