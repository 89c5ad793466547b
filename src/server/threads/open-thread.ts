import { constants, setPriority } from 'node:os';
import type { CommandLog } from '#engine';
import { Background, createLog, type Log, logBeforeEnd, openMetrics } from '../../platform/index.ts';
import { threadSampler } from '../service/server-metrics.ts';
import { openReader } from './open-reader.ts';
import type { MeasuredData } from './thread-data.ts';

const SAMPLE_MS = 1000;

export interface ThreadOptions {
  /** Its way to the writer. */
  readonly way: CommandLog;
  readonly cacheBytes?: number;
  /** Threads that answer requests go first. */
  readonly isLater?: boolean;
}

/** What a thread with a slot of its own begins with: its log, its view of the store, its metrics, the guard of its jobs. */
export async function openThread(
  data: MeasuredData & { readonly slot: number },
  { way, cacheBytes, isLater = false }: ThreadOptions,
) {
  const log = createLog({ level: data.config.logLevel }).with({ thread: data.slot });
  logBeforeEnd(log);
  if (isLater) lowerPriority(log);
  const reader = await openReader(data, way, cacheBytes);
  const metrics = openMetrics(data.definitions, data.metrics, data.slot);
  const background = new Background({ log, metrics });
  const sample = threadSampler(reader.engine, metrics);
  return { log, reader, metrics, background, startSampling: () => background.every('sampler', SAMPLE_MS, sample) };
}

/**
 * Lets the threads go first that somebody waits for at this moment: checks do not wait for a core that a long write has.
 * On Linux a priority is the thread's own (setpriority(2), NOTES); elsewhere it would be that of the whole process.
 */
function lowerPriority(log: Log): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    log.warn({ error }, 'the thread of tasks keeps its priority');
  }
}
