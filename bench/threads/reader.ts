import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Engine, PortLog, type SharedMemory } from '#engine';
import { Random, SEED } from '../data/random.ts';
import { turn } from '../measure/clock.ts';

export interface ReaderSettings {
  readonly path: string;
  readonly store: string;
  readonly shared: SharedMemory;
  readonly port: MessagePort;
  readonly seed: number;
  readonly users: number;
  readonly documents: number;
  /** Pool threads also list. */
  readonly isPool: boolean;
  readonly isSmoke: boolean;
}

export interface ReaderReport {
  readonly misses: number;
  readonly arrayBytes: number;
  readonly heapBytes: number;
}

/** More lists than fit into both generations of a cache of 128 MiB, twice over. */
const MISSES_WANTED = 2_000_000;
const QUESTIONS_PER_TURN = 1_000;
const LISTS_PER_TURN = 2;

/** Asks until the cache of this thread has been filled and turned over. */
async function fill(engine: Engine, settings: ReaderSettings): Promise<ReaderReport> {
  const { users, documents, isPool, isSmoke } = settings;
  const store = engine.store(settings.store);
  const random = new Random(SEED + 80 + settings.seed);
  const subject = (): string => `user:u${random.below(users)}`;
  while (engine.cacheCounts().misses < (isSmoke ? 1_000 : MISSES_WANTED)) {
    for (let i = 0; i < QUESTIONS_PER_TURN; i++) {
      store.check({ object: `document:d${random.below(documents)}`, relation: 'can_view', subject: subject() });
    }
    for (let i = 0; isPool && i < LISTS_PER_TURN; i++) {
      store.listObjects({ type: 'document', relation: 'can_view', subject: subject() });
    }
    await turn();
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return { misses: engine.cacheCounts().misses, arrayBytes: arrayBuffers, heapBytes: heapUsed };
}

if (parentPort !== null) {
  const parent = parentPort;
  const settings = workerData as ReaderSettings;
  const log = new PortLog(settings.port);
  const engine = await Engine.open({ path: settings.path, joined: { shared: settings.shared, log } });
  parent.on('message', async (order: 'fill' | 'stop') => {
    if (order === 'fill') return parent.postMessage(await fill(engine, settings));
    await engine.close();
    parent.close();
  });
  parent.postMessage('ready');
}
