import http from 'node:http';
import https from 'node:https';
import { OutboundError, type OutboundGuard, type PinnedAddress } from './outbound.ts';

export interface OutboundRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** From the first byte sent to the last received. */
  readonly timeoutMs: number;
  /** Most bytes of the answer's body. */
  readonly bodyMax: number;
  /** With which the client proves who it is (mutual TLS), in PEM. */
  readonly identity?: { readonly certificate: string; readonly key: string };
}

export interface OutboundAnswer {
  readonly status: number;
  /** `''` where it says none. */
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * One request to a URL that a tenant chose: to a checked address, on a connection of its own, without following
 * redirects, and bounded in time and size.
 * @throws OutboundError
 */
export async function outboundRequest(guard: OutboundGuard, request: OutboundRequest): Promise<OutboundAnswer> {
  const url = guard.requireUrl(request.url);
  const address = await guard.resolve(url.hostname);
  const signal = AbortSignal.timeout(request.timeoutMs);
  try {
    return await exchange(url, address, request, signal);
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause;
    if (signal.aborted) throw new OutboundError('timeout', 'the host did not answer in time', cause);
    throw new OutboundError('failed', 'the host could not be reached', cause);
  }
}

function exchange(
  url: URL,
  pinned: PinnedAddress,
  { method = 'GET', headers = {}, body, bodyMax, identity }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const client = identity === undefined ? {} : { cert: identity.certificate, key: identity.key };
    const options = { method, headers, agent: false, signal, lookup: lookupOf(pinned), ...client };
    const sent = request(url, options, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= bodyMax) chunks.push(chunk);
        else {
          reject(new OutboundError('too_large', 'the answer is too large'));
          answer.destroy();
        }
      });
      answer.on('end', () => {
        const contentType = answer.headers['content-type'] ?? '';
        resolve({ status: answer.statusCode ?? 0, contentType, body: Buffer.concat(chunks) });
      });
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The certificate is still checked against the name; only the address is decided. */
function lookupOf({ address, family }: PinnedAddress): NonNullable<http.RequestOptions['lookup']> {
  return (_name, options, done) => {
    if (options.all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}
