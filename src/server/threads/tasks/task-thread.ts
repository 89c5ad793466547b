import { workerData } from 'node:worker_threads';
import { PortLog } from '#engine';
import { identifyAgain } from '../../../access/guard/index.ts';
import { ofAll } from '../../../kernel/modules/index.ts';
import type { QueryAnswer, QueryRequest } from '../../../kernel/queries/index.ts';
import { handlersByKind, performTask, type TaskRequest } from '../../../kernel/tasks/index.ts';
import { collectAfterStart, createSealer } from '../../../platform/index.ts';
import { modules } from '../../modules.ts';
import { createServices, flushesOf } from '../../service/services.ts';
import { openThread } from '../open-thread.ts';
import { RequestPort, servePort } from '../ports/request-port.ts';
import { closeWhenTold } from '../started-thread.ts';
import type { TaskThreadData } from '../thread-data.ts';

const FLUSH_MS = 5000;
/** What tasks read again is little: who is in a group, what a role gives. */
const CACHE_BYTES = 32 * 2 ** 20;

/** Entry of the thread of tasks: makes the services of modules, and does what comes through the port until it is closed. */
async function work(data: TaskThreadData): Promise<void> {
  const { config } = data;
  const thread = await openThread(data, { way: new PortLog(data.log), cacheBytes: CACHE_BYTES, isLater: true });
  const { log, reader, metrics, background } = thread;
  const { engine } = reader;
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
  thread.startSampling();
  collectAfterStart(thread.background);
  const flushes = flushesOf(services);
  for (const flush of flushes) background.every('usage_notes', FLUSH_MS, () => flush(false));
  const perform = (request: TaskRequest) => performTask({ engine, handlers, identify }, request);
  servePort(data.tasks, perform, background, 'tasks');
  closeWhenTold(background, async () => {
    await background.stop();
    for (const flush of flushes) await background.run('usage_notes', () => flush(true));
    for (const port of [data.tasks, data.queryPool]) port.close();
    await engine.close();
  });
}

await work(workerData as TaskThreadData);
