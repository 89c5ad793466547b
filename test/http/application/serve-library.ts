import {
  Application,
  type HttpServer,
  httpMetrics,
  openTransport,
  operationsEndpoints,
  referenceEndpoints,
  serveHttp,
  type TransportChoice,
} from '../../../src/http/index.ts';
import {
  addressList,
  createLog,
  type Metrics,
  requestIdGenerator,
  singleThreadMetrics,
} from '../../../src/platform/index.ts';
import { libraryEndpoints, libraryGuard } from './library-endpoints.ts';

const transportLimits = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, idleTimeoutMs: 5_000, headerBytes: 16_384 };
const api = { title: 'Library', version: '1', description: 'Books.', baseUrl: 'https://library.example', tags: [] };

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface Library {
  readonly server: HttpServer;
  /** What was logged. */
  readonly lines: string[];
  /** What `/readyz` says. */
  ready: boolean;
  send(request: Sent): Promise<Response>;
}

/** Serves the library of books, every answer checked against its description. */
export async function serveLibrary(choice: TransportChoice): Promise<Library> {
  const lines: string[] = [];
  let metrics: Metrics | undefined;
  const readiness = () => ({ ready: library.ready, checks: { store: library.ready ? 'ok' : 'closed' } });
  const endpoints = [
    ...libraryEndpoints(),
    ...operationsEndpoints({ ready: readiness, metricsPage: () => metrics?.text() ?? '' }),
  ];
  endpoints.push(...referenceEndpoints(endpoints, api));
  metrics = singleThreadMetrics(httpMetrics(endpoints));
  const application = new Application({
    endpoints,
    guard: libraryGuard,
    limits: { bodyBytes: 10_000, jsonDepth: 16, queryParameters: 8, validationErrors: 3 },
    requestId: requestIdGenerator(),
    trustedProxies: addressList(['127.0.0.1']),
    log: createLog({ level: 'info', write: (line) => lines.push(line) }),
    accessLog: 'errors',
    metrics,
    checkReplies: true,
  });
  const server = await serveHttp(
    openTransport({ choice, threads: 1 }, transportLimits),
    { host: '127.0.0.1', port: 0 },
    application,
  );
  const library: Library = { server, lines, ready: true, send: (request) => send(server.port, request) };
  return library;
}

function send(port: number, { method, path, key, headers, body }: Sent): Promise<Response> {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const credential: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return fetch(`http://127.0.0.1:${port}${path}`, {
    redirect: 'manual',
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body: body as string }),
    headers: { ...type, ...credential, ...headers },
  });
}
