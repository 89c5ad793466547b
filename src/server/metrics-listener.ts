import { createServer, type Server } from 'node:http';
import { mayReadMetrics, metricsType } from '../http/index.ts';
import { type Config, ListenError } from '../platform/index.ts';

/** Serves the page of metrics at an address of its own, for networks in which the interface is public and they are not. */
export interface MetricsListener {
  /** Before that, and where there is no page, the answer is 503. */
  serve(page: () => string | undefined): void;
  close(): Promise<void>;
}

const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 64;

/** Takes the address, if one is set. @throws ListenError */
export async function openMetricsListener({
  metricsAddress,
  metricsToken,
}: Pick<Config, 'metricsAddress' | 'metricsToken'>): Promise<MetricsListener> {
  let text: (() => string | undefined) | undefined;
  if (metricsAddress === null) return { serve() {}, close: () => Promise.resolve() };
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS }, (request, response) => {
    const isPage = request.url?.split('?')[0] === '/metrics' && ['GET', 'HEAD'].includes(request.method ?? '');
    if (!isPage) response.writeHead(404).end();
    else if (!mayReadMetrics(request.headers.authorization, metricsToken)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    } else {
      const page = text?.();
      if (page === undefined) response.writeHead(503, { 'retry-after': '1' }).end();
      else response.writeHead(200, { 'content-type': metricsType }).end(page);
    }
  });
  server.maxConnections = CONNECTIONS_MAX;
  await listening(server, metricsAddress);
  return {
    serve(page) {
      text = page;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, address: string): Promise<void> {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, at).replace(/^\[|\]$/g, '');
  const port = Number(address.slice(at + 1));
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new ListenError({ host, port }, error, ['RELATA_METRICS_ADDRESS', 'RELATA_METRICS_ADDRESS'])),
    );
    server.listen({ host, port, exclusive: true }, resolve);
  });
}
