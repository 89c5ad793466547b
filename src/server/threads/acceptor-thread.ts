import { parentPort, workerData } from 'node:worker_threads';
import { PortLog } from '#engine';
import { type HttpServer, openTransport, serveHttp } from '../../http/index.ts';
import { createLog, createSealer, openMetrics } from '../../platform/index.ts';
import { threadSampler } from '../service/server-metrics.ts';
import { createService } from '../service/service.ts';
import { HeavyPort } from './heavy-port.ts';
import { openReader } from './open-reader.ts';
import type { AcceptorData, AcceptorReply, AcceptorRequest } from './thread-data.ts';

const SAMPLE_MS = 1000;
const FLUSH_MS = 5000;

/** Entry of an acceptor's thread: an HTTP server on the shared port, which decides in its own turn. */
async function accept(data: AcceptorData): Promise<void> {
  const { config } = data;
  const reader = await openReader(data, new PortLog(data.log));
  const metrics = openMetrics(data.definitions, data.metrics, data.slot);
  const log = createLog({ level: config.logLevel }).with({ thread: data.slot });
  const sample = threadSampler(reader.engine, metrics);
  let server: HttpServer | undefined;
  const service = createService({
    reader,
    config,
    metrics,
    log,
    heavy: new HeavyPort(data.heavy),
    platformDigest: data.platformDigest,
    sealer: createSealer(data.masterKey),
    memory: data.memory,
    ready: () => ({
      ready: server?.accepting ?? false,
      checks: { store: String(reader.engine.revision() >= 0 ? 'ok' : '') },
    }),
    collect: sample,
  });
  const transport = openTransport(config.transport, config.limits);
  server = await serveHttp(transport, { host: config.host, port: data.listenPort }, service.application);
  const timers = [
    setInterval(sample, SAMPLE_MS),
    setInterval(() => {
      service.keyUse.flush().catch((error: unknown) => log.warn({ error }, 'times of last use were not written'));
    }, FLUSH_MS),
    setInterval(() => {
      service.clientUse.flush().catch((error: unknown) => log.warn({ error }, 'times of last use were not written'));
    }, FLUSH_MS),
    setInterval(() => {
      service.apiCalls.flush().catch((error: unknown) => log.warn({ error }, 'calls were not counted'));
    }, FLUSH_MS),
    setInterval(() => {
      service.failures.flush().catch((error: unknown) => log.warn({ error }, 'refusals were not put on record'));
    }, FLUSH_MS),
    setInterval(() => {
      service.signedIn
        .flush()
        .catch((error: unknown) => log.warn({ error }, 'times of last activity were not written'));
    }, FLUSH_MS),
  ];
  for (const timer of timers) timer.unref();
  reply({ kind: 'listening', port: server.port, sharesPort: transport.sharesPort, transport: transport.kind });
  parentPort?.on('message', async ({ kind }: AcceptorRequest) => {
    if (kind !== 'drain') return;
    const cutOff = (await server?.drain(config.limits.drainDelayMs, config.limits.drainMs)) ?? 0;
    for (const timer of timers) clearInterval(timer);
    await service.keyUse.flush().catch(() => {});
    await service.clientUse.flush().catch(() => {});
    await service.apiCalls.flush(true).catch(() => {});
    await service.signedIn.flush().catch(() => {});
    await service.failures.flush(true).catch(() => {});
    data.heavy.close();
    await reader.engine.close();
    reply({ kind: 'drained', cutOff });
    parentPort?.close();
  });
}

function reply(message: AcceptorReply): void {
  parentPort?.postMessage(message);
}

await accept(workerData as AcceptorData);
