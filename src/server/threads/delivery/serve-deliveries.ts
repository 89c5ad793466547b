import { parentPort } from 'node:worker_threads';
import { FencedLog, PortLog } from '#engine';
import { Organizations } from '../../../directory/organizations/index.ts';
import type { QueryAnswer, QueryRequest } from '../../../kernel/queries/index.ts';
import { Background, createLog, logBeforeEnd, openMetrics, uuidGenerator } from '../../../platform/index.ts';
import { startJobs } from '../../jobs.ts';
import type { ServiceModule } from '../../modules.ts';
import { threadSampler } from '../../service/server-metrics.ts';
import { AnsweringThreads } from '../answering/answering-threads.ts';
import { CoreWaits } from '../answering/core-waits.ts';
import { openReader } from '../open-reader.ts';
import { RequestPort } from '../ports/request-port.ts';
import { lowerPriority } from '../tasks/lower-priority.ts';
import type { DeliveryThreadData } from '../thread-data.ts';
import type { ClosedReply, CloseRequest } from '../thread-end.ts';

const SAMPLE_MS = 1000;
/** What is read again and again is little: subscriptions and how far they have come. */
const CACHE_BYTES = 8 * 2 ** 20;

/** Runs the jobs of the delivery thread until it is told to end. */
export async function serveDeliveries(data: DeliveryThreadData, modules: readonly ServiceModule[]): Promise<void> {
  const { config, masterKey } = data;
  const log = createLog({ level: config.logLevel }).with({ thread: data.slot });
  logBeforeEnd(log);
  lowerPriority(log);
  const port = new PortLog(data.log);
  const way = data.fence === undefined ? port : new FencedLog(port, data.fence);
  const reader = await openReader(data, way, CACHE_BYTES);
  const { engine, clock, systemModel } = reader;
  const metrics = openMetrics(data.definitions, data.metrics, data.slot);
  const background = new Background({ log, metrics });
  const pool = new RequestPort<QueryRequest, QueryAnswer>(data.queryPool, background, 'query_pool');
  const organizations = new Organizations({ engine, clock, newId: uuidGenerator(clock), systemModel });
  // nothing is removed here because of the time
  const isClockTrusted = () => true;
  const waits = new CoreWaits(new AnsweringThreads(data.memory.answering));
  const pressure = () => waits.pressure();
  const kept = { reader, organizations, pool, background, isClockTrusted, config, masterKey, log, metrics, pressure };
  const jobs = startJobs(modules, kept, { thread: 'delivery' });
  background.every('sampler', SAMPLE_MS, threadSampler(engine, metrics));
  const close = async (): Promise<void> => {
    try {
      await jobs.stop();
      await background.stop();
      data.queryPool.close();
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
