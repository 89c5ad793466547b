import { parentPort } from 'node:worker_threads';
import { PortLog } from '#engine';
import { identifyAgain } from '../../../access/guard/index.ts';
import { ofAll } from '../../../kernel/modules/index.ts';
import type { QueryAnswer, QueryRequest } from '../../../kernel/queries/index.ts';
import { handlersByKind, performTask, type TaskRequest } from '../../../kernel/tasks/index.ts';
import { Background, createLog, createSealer, logBeforeEnd, openMetrics } from '../../../platform/index.ts';
import type { ServiceModule } from '../../modules.ts';
import { threadSampler } from '../../service/server-metrics.ts';
import { createServices, flushesOf } from '../../service/services.ts';
import { openReader } from '../open-reader.ts';
import { RequestPort, servePort } from '../ports/request-port.ts';
import type { TaskThreadData } from '../thread-data.ts';
import type { ClosedReply, CloseRequest } from '../thread-end.ts';
import { lowerPriority } from './lower-priority.ts';

const SAMPLE_MS = 1000;
const FLUSH_MS = 5000;
/** What tasks read again is little: who is in a group, what a role gives. */
const CACHE_BYTES = 32 * 2 ** 20;

/** Makes the services of modules in this thread, and does the tasks that come through the port until it is closed. */
export async function serveTasks(data: TaskThreadData, modules: readonly ServiceModule[]): Promise<void> {
  const { config } = data;
  const log = createLog({ level: config.logLevel }).with({ thread: data.slot });
  logBeforeEnd(log);
  lowerPriority(log);
  const reader = await openReader(data, new PortLog(data.log), CACHE_BYTES);
  const { engine } = reader;
  const metrics = openMetrics(data.definitions, data.metrics, data.slot);
  const background = new Background({ log, metrics });
  const services = createServices({
    modules,
    reader,
    config,
    metrics,
    log,
    background,
    queryPool: new RequestPort<QueryRequest, QueryAnswer>(data.queryPool, background, 'query_pool'),
    tasks: { run: () => Promise.reject(new RangeError('a task begins no other task')) },
    platformDigest: data.platformDigest,
    sealer: createSealer(data.masterKey),
    memory: data.memory,
    // nobody asks this thread
    ready: () => ({ ready: false, checks: {} }),
    metricsPage: () => '',
  });
  const handlers = handlersByKind(ofAll(modules, ({ tasks }) => tasks?.(services)));
  const identify = (request: QueryRequest) => identifyAgain(reader, request);
  background.every('sampler', SAMPLE_MS, threadSampler(engine, metrics));
  const flushes = flushesOf(services);
  for (const flush of flushes) background.every('usage_notes', FLUSH_MS, () => flush(false));
  const perform = (request: TaskRequest) => performTask({ engine, handlers, identify }, request);
  servePort(data.tasks, perform, background, 'tasks');
  const close = async (): Promise<void> => {
    try {
      await background.stop();
      for (const flush of flushes) await background.run('usage_notes', () => flush(true));
      for (const port of [data.tasks, data.queryPool]) port.close();
      await engine.close();
    } catch (error) {
      background.failed('drain', error);
    }
    const reply: ClosedReply = { kind: 'closed' };
    parentPort?.postMessage(reply);
  };
  parentPort?.on('message', ({ kind }: CloseRequest) => {
    if (kind === 'close') void close();
  });
}
