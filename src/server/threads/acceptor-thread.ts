import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type Engine, PortLog } from '#engine';
import { ConnectionBound, type HttpServer, openTransport, serveHttp } from '../../http/index.ts';
import type { QueryAnswer, QueryRequest } from '../../kernel/queries/index.ts';
import type { TaskAnswer, TaskRequest } from '../../kernel/tasks/index.ts';
import { addressList, createSealer, openMetrics, RequestClock, systemClock } from '../../platform/index.ts';
import { isCutOff, logCheck } from '../cluster/cluster-state.ts';
import { ClosedTally } from '../connections/connection-metrics.ts';
import { listsCheck } from '../listings.ts';
import { modules } from '../modules.ts';
import { createService } from '../service/service.ts';
import { AnsweringThreads } from './answering/answering-threads.ts';
import { RequestedPage } from './metrics-page.ts';
import { openThread } from './open-thread.ts';
import { RequestPort } from './ports/request-port.ts';
import { ServingFlag } from './serving-flag.ts';
import type { AcceptorData, AcceptorReply, AcceptorRequest, AcceptorStart } from './thread-data.ts';

const TELL_MS = 1000;
const FLUSH_MS = 5000;

/** Entry of an acceptor's thread: an HTTP server on the shared port, which decides in its own turn. */
async function accept(data: AcceptorData): Promise<void> {
  const { config } = data;
  const clock = new RequestClock(systemClock);
  const thread = await openThread(data, { way: new PortLog(data.log) });
  const { log, metrics, background } = thread;
  const reader = { ...thread.reader, clock };
  new AnsweringThreads(data.memory.answering).enter();
  const serving = new ServingFlag(data.memory.serving);
  const page = new RequestedPage(() => reply({ kind: 'metrics_wanted' }), background);
  let server: HttpServer | undefined;
  const dependencies = {
    modules,
    reader,
    clock,
    config,
    metrics,
    log,
    background,
    queryPool: new RequestPort<QueryRequest, QueryAnswer>(data.queryPool, background, 'query_pool'),
    tasks: new RequestPort<TaskRequest, TaskAnswer>(data.tasks, background, 'tasks'),
    platformDigest: data.platformDigest,
    sealer: createSealer(data.masterKey),
    memory: data.memory,
    ready: () => ({
      ready: serving.isSet && (server?.accepting ?? false),
      checks: { threads: serving.isSet ? 'ok' : 'not all are ready', ...storeChecks(reader.engine, data) },
    }),
    metricsPage: () => page.text(),
  };
  const service = createService(dependencies, (definitions) => openMetrics(definitions, data.routeMetrics, data.slot));
  const closed = new ClosedTally(metrics, log);
  const transport = openTransport({ choice: config.transport, threads: config.threads }, config.limits, background, {
    bound: new ConnectionBound(data.memory.connections, addressList(config.trustedProxies)),
    closed: closed.counters,
  });
  const drain = async (): Promise<void> => {
    let cutOff = 0;
    try {
      cutOff = (await server?.drain(config.limits.drainDelayMs, config.limits.drainMs)) ?? 0;
      await background.stop();
      for (const flush of service.flushes) await background.run('usage_notes', () => flush(true));
      data.queryPool.close();
      data.tasks.close();
      await reader.engine.close();
    } catch (error) {
      background.failed('drain', error);
    }
    reply({ kind: 'drained', cutOff });
    parentPort?.close();
  };
  const makeRoom = background.guarded('connections', async () => {
    await server?.makeRoom();
  });
  const mayListen = new Promise<void>((resolve) => {
    parentPort?.on('message', (request: AcceptorRequest) => {
      if (request.kind === 'listen') resolve();
      else if (request.kind === 'metrics_page') page.receive(request.text);
      else if (request.kind === 'drain') void drain();
      else makeRoom();
    });
  });
  reply({ kind: 'loaded' });
  await mayListen;
  server = await serveHttp(transport, config, service.application);
  thread.startSampling();
  background.every('connections', TELL_MS, () => closed.tell());
  for (const flush of service.flushes) background.every('usage_notes', FLUSH_MS, () => flush(false));
  reply({
    kind: 'listening',
    port: server.port,
    sharesPort: transport.sharesPort,
    transport: transport.kind,
    routes: service.routes,
  });
}

function storeChecks(engine: Engine, { memory }: AcceptorData) {
  return {
    store: String(engine.revision() >= 0 ? 'ok' : ''),
    writes: engine.canWrite && !isCutOff(memory.cluster) ? 'ok' : 'failing',
    lists: listsCheck(engine.listingProgress()),
    ...logCheck(memory.cluster),
  };
}

function reply(message: AcceptorReply): void {
  parentPort?.postMessage(message);
}

const { begins } = workerData as AcceptorStart;
const [data] = (await once(begins, 'message')) as [AcceptorData | null];
// null where the start is given up: nothing keeps the thread then
if (data !== null) await accept(data);
