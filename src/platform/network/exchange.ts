import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { boundedTls } from './bounded-tls.ts';
import { OutboundError, type OutboundGuard } from './outbound.ts';

/** A client's certificate with its private key, both in PEM (mutual TLS). */
interface ClientIdentity {
  readonly certificate: string;
  readonly key: string;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** From the first byte sent to the last received, the way to the host included. */
  readonly timeoutMs: number;
  /** Most bytes of the answer's body. */
  readonly bodyMax: number;
  /** What a longer body is: an error (`too_large`), or cut there, and the connection closed. */
  readonly longBody?: 'refuse' | 'cut';
  readonly identity?: ClientIdentity;
}

export interface OutboundAnswer {
  readonly status: number;
  /** `''` where it says none. */
  readonly contentType: string;
  /** As the host wrote it; `''` where it says none. */
  readonly retryAfter: string;
  /** How long it may be kept (RFC 9111); both `''` where it says none. */
  readonly cacheControl: string;
  readonly age: string;
  readonly body: Buffer;
  /** Whether the body was longer. */
  readonly isCut: boolean;
}

/** Nothing was answered on a kept connection, which the host may have closed before the request came. */
export class StaleConnection extends Error {}

/** Most bytes of an answer's status line and headers. */
const HEAD_MAX = 16 * 1024;
/** Answers with a status of 1xx that may come before the one that counts. */
const INFORMATION_MAX = 8;
const closedByHost = new Set(['ECONNRESET', 'EPIPE']);

/**
 * One request and its answer. The URL, and its host where that is an address, are judged here, before a kept connection
 * is looked for; the addresses of a name are judged where a connection is made.
 * @param agents `false`: on a connection of its own
 * @throws OutboundError
 * @throws StaleConnection only with agents
 */
export async function exchange(
  guard: OutboundGuard,
  request: OutboundRequest,
  agents: { readonly http: http.Agent; readonly https: https.Agent } | false,
): Promise<OutboundAnswer> {
  const url = guard.requireUrl(request.url);
  guard.requireAddress(url.hostname);
  const { method = 'GET', headers = {}, identity } = request;
  const isTls = url.protocol === 'https:';
  const options: https.RequestOptions = {
    method,
    headers,
    maxHeaderSize: HEAD_MAX,
    lookup: lookupOf(guard),
    agent: agents && (isTls ? agents.https : agents.http),
    ...(isTls && boundedTls),
    ...(identity !== undefined && isTls && { cert: identity.certificate, key: identity.key }),
  };
  const sent = begin(isTls ? https : http, url, options);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(late()), request.timeoutMs);
      let informed = 0;
      sent.on('information', () => {
        informed += 1;
        if (informed > INFORMATION_MAX) reject(tooLarge());
      });
      sent.on('error', (cause) => reject(failureOf(cause, sent)));
      // after an answer this comes to nothing
      sent.on('close', () => reject(new OutboundError('failed', 'the host closed the connection')));
      sent.on('response', (answer) => readAnswer(answer, request, resolve, reject));
      sent.end(request.body);
    });
  } catch (error) {
    sent.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @throws OutboundError where a header, a certificate or a key is none */
function begin({ request }: typeof http | typeof https, url: URL, options: https.RequestOptions): http.ClientRequest {
  try {
    return request(url, options);
  } catch (cause) {
    throw new OutboundError('failed', 'the request cannot be made', cause);
  }
}

function readAnswer(
  answer: http.IncomingMessage,
  { bodyMax, longBody = 'refuse' }: OutboundRequest,
  resolve: (answer: OutboundAnswer) => void,
  fail: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (isCut: boolean): void => {
    const { 'content-type': contentType = '', 'retry-after': retryAfter = '' } = answer.headers;
    const { 'cache-control': cacheControl = '', age = '' } = answer.headers;
    const body = Buffer.concat(chunks).subarray(0, bodyMax);
    resolve({ status: answer.statusCode ?? 0, contentType, retryAfter, cacheControl, age, body, isCut });
  };
  answer.on('data', (chunk: Buffer) => {
    if (size > bodyMax) return;
    size += chunk.length;
    if (size <= bodyMax || longBody === 'cut') chunks.push(chunk);
    if (size <= bodyMax) return;
    if (longBody === 'cut') finish(true);
    else fail(tooLarge());
    answer.destroy();
  });
  answer.on('end', () => finish(false));
  answer.on('error', (cause) => fail(new OutboundError('failed', 'the answer was not sent to its end', cause)));
}

function failureOf(cause: NodeJS.ErrnoException, sent: http.ClientRequest): Error {
  if (cause instanceof OutboundError) return cause;
  if (cause.code === 'HPE_HEADER_OVERFLOW') return tooLarge(cause);
  if (sent.reusedSocket && closedByHost.has(cause.code ?? '')) return new StaleConnection('closed', { cause });
  return new OutboundError('failed', 'the host could not be reached', cause);
}

/** Made where it is needed: an error's stack costs more than the rest of a request's way through here. */
function late(): OutboundError {
  return new OutboundError('timeout', 'the host did not answer in time');
}

function tooLarge(cause?: unknown): OutboundError {
  return new OutboundError('too_large', 'the answer is too large', cause);
}

/** Connects to an address that was judged. The certificate is still checked against the name. */
function lookupOf(guard: OutboundGuard): LookupFunction {
  return (name, options, done) => {
    guard.resolve(name).then(
      ({ address, family }) => {
        if (options.all === true) done(null, [{ address, family }]);
        else done(null, address, family);
      },
      (error: Error) => done(error, ''),
    );
  };
}
