import { workerData } from 'node:worker_threads';
import { FencedLog, PortLog } from '#engine';
import { Organizations } from '../../../directory/organizations/index.ts';
import type { QueryAnswer, QueryRequest } from '../../../kernel/queries/index.ts';
import { collectAfterStart, uuidGenerator } from '../../../platform/index.ts';
import { startJobs } from '../../jobs.ts';
import { modules } from '../../modules.ts';
import { AnsweringThreads } from '../answering/answering-threads.ts';
import { CoreWaits } from '../answering/core-waits.ts';
import { openThread } from '../open-thread.ts';
import { RequestPort } from '../ports/request-port.ts';
import { closeWhenTold } from '../started-thread.ts';
import type { DeliveryThreadData } from '../thread-data.ts';

/** What is read again and again is little: subscriptions and how far they have come. */
const CACHE_BYTES = 8 * 2 ** 20;

/** Entry of the delivery thread: runs its jobs until it is told to end. */
async function deliver(data: DeliveryThreadData): Promise<void> {
  const { config, masterKey } = data;
  const port = new PortLog(data.log);
  const way = data.fence === undefined ? port : new FencedLog(port, data.fence);
  const thread = await openThread(data, { way, cacheBytes: CACHE_BYTES, isLater: true });
  const { log, reader, metrics, background } = thread;
  const { engine, clock, systemModel } = reader;
  const pool = new RequestPort<QueryRequest, QueryAnswer>(data.queryPool, background, 'query_pool');
  const organizations = new Organizations({ engine, clock, newId: uuidGenerator(clock), systemModel });
  // nothing is removed here because of the time
  const isClockTrusted = () => true;
  const waits = new CoreWaits(new AnsweringThreads(data.memory.answering));
  const pressure = () => waits.pressure();
  const kept = { reader, organizations, pool, background, isClockTrusted, config, masterKey, log, metrics, pressure };
  const jobs = startJobs(modules, kept, { thread: 'delivery' });
  thread.startSampling();
  collectAfterStart(background);
  closeWhenTold(background, async () => {
    await jobs.stop();
    await background.stop();
    data.queryPool.close();
    await engine.close();
  });
}

await deliver(workerData as DeliveryThreadData);
