/** One acceptor of the threads' test: the built service part, as threads cannot load TypeScript. */
import { parentPort, threadId, workerData } from 'node:worker_threads';

const { Application, endpointFor, httpMetrics, json, openTransport, operationsEndpoints, serveHttp } = await import(
  workerData.http
);
const { addressList, openMetrics, requestIdGenerator, silentLog } = await import(workerData.platform);

let metrics;
const endpoints = [
  endpointFor()({
    method: 'GET',
    path: '/who',
    summary: 'Which thread',
    tags: [],
    access: 'public',
    responses: {},
    handler: () => json(200, { thread: threadId }),
  }),
  ...operationsEndpoints({ ready: () => ({ ready: true, checks: {} }), metricsPage: () => metrics.text() }),
];
const definitions = httpMetrics(endpoints);

if (workerData.memory === undefined) {
  parentPort.postMessage({ definitions });
} else {
  metrics = openMetrics(definitions, workerData.memory, workerData.slot);
  const application = new Application({
    endpoints,
    guard: { authenticate: () => undefined, authorize: () => undefined },
    limits: { bodyBytes: 1_000, jsonDepth: 8, queryParameters: 8, validationErrors: 8 },
    requestId: requestIdGenerator(),
    trustedProxies: addressList([]),
    log: silentLog,
    metrics,
  });
  const limits = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, idleTimeoutMs: 1_000, headerBytes: 16_384 };
  const transport = openTransport({ choice: 'auto', threads: 2 }, limits);
  const server = await serveHttp(transport, { host: '127.0.0.1', port: workerData.port }, application);
  parentPort.postMessage({ port: server.port, sharesPort: transport.sharesPort });
  parentPort.on('message', async () => {
    parentPort.postMessage({ cutOff: await server.drain(0, 2_000) });
    process.exit(0);
  });
}
