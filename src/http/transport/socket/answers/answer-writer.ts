import { isBodiless } from '../../status-lines.ts';
import type { Outgoing, StreamSource } from '../../transport.ts';
import type { SocketExchange } from '../connections/socket-exchange.ts';
import { answerHead } from './answer-text.ts';
import type { PreparedAnswers } from './prepared-answers.ts';
import type { SocketOutput } from './socket-output.ts';

/** Answers longer than this are handed to the network piece by piece. */
export const LARGE_BYTES = 65_536;
/** How much a client must at least take within a time limit. */
const PIECE_BYTES = 32_768;

const CLOSE = 'connection: close\r\n';
const KEEP = 'connection: keep-alive\r\n';

/** Resolves when there is room. Whether the connection is still there. */
type Room = () => Promise<boolean>;

/** How the connection goes on. That it does is said to HTTP/1.0 alone, where it is not the rule. */
function connectionLine({ head }: SocketExchange): string {
  return head.isLast ? CLOSE : head.isOld ? KEEP : '';
}

/** Writes a complete answer, whose body is not large. */
export function addAnswer(
  output: SocketOutput,
  exchange: SocketExchange,
  outgoing: Outgoing,
  date: string,
  answers: PreparedAnswers,
): void {
  const { status, body } = outgoing;
  if (status === 200 && !exchange.head.isLast && !exchange.head.isOld && exchange.method !== 'HEAD') {
    const prepared = answers.of(outgoing, date);
    if (prepared !== undefined) {
      output.add(prepared.start + exchange.id + prepared.end, prepared.isAscii);
      return;
    }
  }
  const start = answerHead(outgoing, exchange.id, date) + connectionLine(exchange);
  if (isBodiless(status) || typeof body === 'function') output.add(`${start}\r\n`, true);
  else if (typeof body === 'string') {
    const length = Buffer.byteLength(body);
    const shown = exchange.method === 'HEAD' ? '' : body;
    output.add(`${start}content-length: ${length}\r\n\r\n${shown}`, length === body.length);
  } else {
    output.add(`${start}content-length: ${body?.length ?? 0}\r\n\r\n`, true);
    if (body !== undefined && exchange.method !== 'HEAD') output.addBytes(body);
  }
}

/** Writes an answer as fast as the network takes it. */
export async function writeLarge(
  output: SocketOutput,
  exchange: SocketExchange,
  outgoing: Outgoing & { readonly body: Uint8Array },
  date: string,
  room: Room,
): Promise<void> {
  const { body } = outgoing;
  const start = answerHead(outgoing, exchange.id, date) + connectionLine(exchange);
  output.add(`${start}content-length: ${body.length}\r\n\r\n`, true);
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    output.addBytes(body.subarray(at, at + PIECE_BYTES));
    output.flush();
    if (!(await room())) return;
  }
}

/** Writes the head of an answer whose body is made while it is sent. HTTP/1.0 knows no chunks: there the end tells. */
export function beginStream(output: SocketOutput, exchange: SocketExchange, outgoing: Outgoing, date: string): void {
  if (exchange.head.isOld) exchange.head.isLast = true;
  const coding = exchange.head.isOld ? '' : 'transfer-encoding: chunked\r\n';
  output.add(`${answerHead(outgoing, exchange.id, date)}${connectionLine(exchange)}${coding}\r\n`, true);
  output.flush();
}

/**
 * Writes a body chunk by chunk. Returns when it has ended or the connection has. @throws what the source throws
 */
export async function writeStream(
  output: SocketOutput,
  exchange: SocketExchange,
  chunks: ReturnType<StreamSource>,
  room: Room,
): Promise<void> {
  const isPlain = exchange.head.isOld;
  for await (const chunk of chunks) {
    // one of length zero would end the body
    if (chunk.length > 0) addChunk(output, chunk, isPlain);
    output.flush();
    if (!(await room())) return;
  }
  if (!isPlain) output.add('0\r\n\r\n', true);
}

function addChunk(output: SocketOutput, chunk: string | Uint8Array, isPlain: boolean): void {
  const length = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  if (!isPlain) output.add(`${length.toString(16)}\r\n`, true);
  if (typeof chunk === 'string') output.add(chunk, length === chunk.length);
  else output.addBytes(chunk);
  if (!isPlain) output.add('\r\n', true);
}
