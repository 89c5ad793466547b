import { isBodiless, statusLine } from '../status-lines.ts';
import type { Outgoing, StreamSource } from '../transport.ts';
import type { HttpResponse } from './uws-binding.ts';
import type { UwsExchange } from './uws-exchange.ts';
import type { UwsServer } from './uws-server.ts';

function writeHead(res: HttpResponse, id: string, outgoing: Outgoing): void {
  if (outgoing.status !== 200) res.writeStatus(statusLine(outgoing.status));
  res.writeHeader(outgoing.head.firstName, outgoing.head.rest + id);
  const { more } = outgoing;
  if (more === undefined) return;
  for (let i = 0; i < more.length; i += 2) res.writeHeader(more[i] as string, more[i + 1] as string);
}

/** Writes a complete answer. The socket must be corked: it is, inside native callbacks and inside `res.cork`. */
export function writeAnswer(res: HttpResponse, exchange: UwsExchange, outgoing: Outgoing, close: boolean): void {
  writeHead(res, exchange.id, outgoing);
  if (exchange.method === 'HEAD' || isBodiless(outgoing.status)) endBodiless(res, exchange, outgoing, close);
  else res.end(outgoing.body as string | Uint8Array | undefined, close);
}

/**
 * `endWithoutBody` of this version aborts the process when it is given a length, and sends a wrong one with only
 * `close`. So the length is written as a header; and where the connection must end here and now, because of how the
 * request was framed, the length is sent as 0.
 */
function endBodiless(res: HttpResponse, exchange: UwsExchange, outgoing: Outgoing, close: boolean): void {
  if (exchange.closeAfter) {
    res.endWithoutBody(0, true);
    return;
  }
  const { body } = outgoing;
  if (!isBodiless(outgoing.status) && typeof body !== 'function') {
    res.writeHeader('content-length', String(Buffer.byteLength(body ?? '')));
  }
  if (close) res.writeHeader('connection', 'close');
  res.endWithoutBody();
}

/**
 * Writes a long answer as fast as the network takes it. `close` can only be announced here: uWebSockets.js ends the
 * connection itself only with `end`.
 */
export function writeLarge(
  res: HttpResponse,
  exchange: UwsExchange,
  outgoing: Outgoing,
  body: string | Uint8Array,
  close: boolean,
  finished: () => void,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const start = res.getWriteOffset();
  const more = (offset: number): boolean => {
    const [sent, done] = res.tryEnd(bytes.subarray(offset - start), bytes.length);
    if (done) finished();
    return sent;
  };
  res.onWritable(more);
  res.cork(() => {
    writeHead(res, exchange.id, outgoing);
    if (close) res.writeHeader('connection', 'close');
    more(start);
  });
}

/** Sends a stream chunk by chunk. Resolves when it ended, the client went or its source failed. */
export async function writeStream(
  exchange: UwsExchange,
  outgoing: Outgoing,
  source: StreamSource,
  server: UwsServer,
): Promise<void> {
  const gone = new AbortController();
  exchange.onGone = () => gone.abort();
  const { res } = exchange;
  res?.cork(() => {
    writeHead(res, exchange.id, outgoing);
    if (exchange.closeAfter || outgoing.close || server.closing) res.writeHeader('connection', 'close');
  });
  try {
    const control = { gone: gone.signal, draining: server.draining.signal, cut: () => exchange.cut() };
    for await (const chunk of source(control)) {
      // a write of length zero would end the body
      if (chunk.length > 0) await writeChunk(exchange, chunk);
      if (exchange.res === undefined) return;
    }
    const { res } = exchange;
    // never with `close`: the announcement would be written into the body
    res?.cork(() => res.end());
  } catch (error) {
    server.listener.failed(exchange, error);
    exchange.res?.close();
  }
}

async function writeChunk(exchange: UwsExchange, chunk: string | Uint8Array): Promise<void> {
  const { res } = exchange;
  if (res === undefined) return;
  let taken = true;
  res.cork(() => {
    taken = res.write(chunk);
  });
  if (taken) return;
  const abort = exchange.onGone;
  await new Promise<void>((resolve) => {
    exchange.onGone = () => {
      abort?.();
      resolve();
    };
    res.onWritable(() => {
      resolve();
      return true;
    });
  });
  exchange.onGone = abort;
}
