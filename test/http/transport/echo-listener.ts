import { setTimeout as sleep } from 'node:timers/promises';
import { headerBlock } from '../../../src/http/transport/header-block.ts';
import type { IncomingRequest, Listener, Outgoing, StreamSource } from '../../../src/http/transport/transport.ts';

const head = headerBlock({ 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
const bare = headerBlock({});

const refusals = { body_too_large: 413, length_required: 411, request_timeout: 408 } as const;

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly peer: string;
}

function describeRequest(request: IncomingRequest): SeenRequest {
  const { method, path, query, body } = request;
  return { method, path, query, body: body.toString('utf8'), peer: request.peerAddress() };
}

/** What a test sees of the requests that arrived. */
export interface Seen {
  readonly requests: SeenRequest[];
  /** Heads that have arrived, whatever became of their bodies. */
  heads: number;
  readonly failures: unknown[];
  /** How often a stream's source was closed, by end, error or abort. */
  streamsEnded: number;
}

/** A listener whose paths each show one ability of a transport. */
export function echoListener(): { listener: Listener; seen: Seen } {
  const seen: Seen = { requests: [], heads: 0, failures: [], streamsEnded: 0 };
  let count = 0;
  const echo = (request: IncomingRequest): Outgoing => answer(JSON.stringify(describeRequest(request)), 200, request);
  const answer = (body: Outgoing['body'], status = 200, request?: IncomingRequest): Outgoing => ({
    status,
    head,
    more: request === undefined ? undefined : ['x-echo', request.header('x-echo')],
    body,
  });
  const counted = (source: StreamSource): StreamSource =>
    async function* (control) {
      try {
        yield* source(control);
      } finally {
        seen.streamsEnded++;
      }
    };
  const paths: Record<string, (request: IncomingRequest) => Outgoing | Promise<Outgoing>> = {
    '/async': async (request) => {
      const outgoing = echo(request);
      await sleep(20);
      return outgoing;
    },
    '/slow': async (request) => {
      const outgoing = echo(request);
      await sleep(300);
      return outgoing;
    },
    '/stuck': () => new Promise(() => {}),
    '/empty': () => ({ status: 204, head: bare, body: undefined }),
    '/large': () => answer(Buffer.alloc(3_000_000, 'x')),
    '/large-text': () => answer('ü'.repeat(500_000)),
    '/closing': () => ({ ...answer('{}'), close: true }),
    '/stream': () =>
      answer(
        counted(async function* () {
          for (const part of ['a', '', 'bü', Buffer.from('c')]) {
            await sleep(5);
            yield part;
          }
        }),
      ),
    '/broken-stream': () =>
      answer(
        counted(async function* () {
          yield 'a';
          await sleep(5);
          throw new Error('source failed');
        }),
      ),
    '/endless': () =>
      answer(
        counted(async function* ({ gone, draining }) {
          yield 'start';
          await new Promise((resolve) => {
            gone.addEventListener('abort', resolve);
            draining.addEventListener('abort', resolve);
          });
          yield draining.aborted ? 'drained' : 'gone';
        }),
      ),
    '/flood': () =>
      answer(
        counted(async function* () {
          for (let i = 0; i < 2_000; i++) {
            seen.requests.push({ method: 'chunk', path: '', query: '', body: '', peer: '' });
            yield Buffer.alloc(65_536, 'y');
          }
        }),
      ),
  };
  const listener: Listener = {
    accept(request) {
      seen.heads++;
      request.id = `id-${count++}`;
      void request.query;
      return request.path === '/small' ? 10 : 100_000;
    },
    handle(request) {
      seen.requests.push(describeRequest(request));
      return (paths[request.path] ?? echo)(request);
    },
    refuse: (_request, reason) => answer(`"${reason}"`, refusals[reason]),
    failed: (_request, error) => seen.failures.push(error),
  };
  return { listener, seen };
}
