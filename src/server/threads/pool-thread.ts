import { workerData } from 'node:worker_threads';
import { identifyAgain } from '../../access/guard/index.ts';
import {
  answerQuery,
  type ErrorData,
  errorData,
  type QueryAnswer,
  type QueryRequest,
} from '../../kernel/queries/index.ts';
import { Background, collectAfterStart, createLog, logBeforeEnd, openMetrics } from '../../platform/index.ts';
import { modules } from '../modules.ts';
import { queriesOf } from '../service/query-services.ts';
import { threadSampler } from '../service/server-metrics.ts';
import { noLog, openReader } from './open-reader.ts';
import type { PoolData } from './thread-data.ts';

const SAMPLE_MS = 1000;

/** Threads that were ended and started again take over slots in turn. */
function takeSlot({ nextSlot, firstSlot, slots }: PoolData): number {
  return firstSlot + (Atomics.add(new Int32Array(nextSlot), 0, 1) % slots);
}

async function start(data: PoolData): Promise<(request: QueryRequest) => Promise<QueryAnswer>> {
  const log = createLog({ level: data.config.logLevel });
  logBeforeEnd(log);
  const dependencies = await openReader(data, noLog);
  const metrics = openMetrics(data.definitions, data.metrics, takeSlot(data));
  const background = new Background({ log, metrics });
  background.every('sampler', SAMPLE_MS, threadSampler(dependencies.engine, metrics));
  collectAfterStart(background);
  const works = new Map(queriesOf(modules, dependencies, background).map((work) => [work.kind, work]));
  const { engine } = dependencies;
  return (request) => answerQuery({ engine, works, identify: (each) => identifyAgain(dependencies, each) }, request);
}

const started = start(workerData as PoolData);

/** An error that is not an answer is sent as data, because errors lose their class between threads. */
export type PoolAnswer = QueryAnswer | { readonly failure: ErrorData };

/** Entry of the pool's threads: one query. */
export async function answer(request: QueryRequest): Promise<PoolAnswer> {
  try {
    return await (await started)(request);
  } catch (error) {
    return { failure: errorData(error) };
  }
}

/** Resolves when the thread has loaded, whether or not it can answer. */
export async function ready(): Promise<void> {
  await started.catch(() => undefined);
}
