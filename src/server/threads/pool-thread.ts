import { workerData } from 'node:worker_threads';
import { answerHeavy, type HeavyAnswer, type HeavyRequest } from '../../authz/index.ts';
import { openMetrics } from '../../platform/index.ts';
import { threadSampler } from '../service/server-metrics.ts';
import { noLog, openReader } from './open-reader.ts';
import type { PoolData } from './thread-data.ts';

const SAMPLE_MS = 1000;

/** Threads that were ended and started again take over places in turn. */
function takeSlot({ nextSlot, firstSlot, slots }: PoolData): number {
  return firstSlot + (Atomics.add(new Int32Array(nextSlot), 0, 1) % slots);
}

async function start(data: PoolData): Promise<(request: HeavyRequest) => HeavyAnswer> {
  const parts = await openReader(data, noLog);
  const metrics = openMetrics(data.definitions, data.metrics, takeSlot(data));
  setInterval(threadSampler(parts.engine, metrics), SAMPLE_MS).unref();
  return (request) => answerHeavy(parts, request);
}

const started = start(workerData as PoolData);

/** Entry of the pool's threads: one heavy query. */
export async function answer(request: HeavyRequest): Promise<HeavyAnswer> {
  return (await started)(request);
}
