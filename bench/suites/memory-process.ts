import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { startWriter } from '#engine';
import { STORE } from '../store/import-data-set.ts';
import { writerSettings } from '../store/writer-settings.ts';
import type { ReaderReport, ReaderSettings } from '../threads/reader.ts';

export interface MemorySettings {
  readonly path: string;
  readonly users: number;
  readonly documents: number;
  readonly isSmoke: boolean;
}

/** In bytes. */
export interface MemoryReport {
  /** With the threads open and nothing asked. */
  readonly idle: number;
  /** The most that was seen while the caches filled and turned over. */
  readonly highest: number;
  readonly full: number;
  readonly threads: readonly ReaderReport[];
}

const SAMPLE_MS = 200;
/** Two as acceptors read, two as the pool does. */
const IS_POOL = [false, false, true, true];

async function measure(settings: MemorySettings): Promise<MemoryReport> {
  const shared = writerSettings(settings.path);
  const writer = await startWriter(shared);
  const workers = IS_POOL.map((isPool, seed) => {
    const port = writer.connect();
    const workerData: ReaderSettings = { ...settings, store: STORE, shared: shared.shared, port, seed, isPool };
    return new Worker(new URL('../threads/reader.js', import.meta.url), { workerData, transferList: [port] });
  });
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const idle = anonymousBytes();
  let highest = idle;
  const sampler = setInterval(() => {
    highest = Math.max(highest, anonymousBytes());
  }, SAMPLE_MS);
  const threads = await Promise.all(workers.map(fill));
  clearInterval(sampler);
  const full = anonymousBytes();
  const exits = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.postMessage('stop');
  await Promise.all(exits);
  await writer.close();
  return { idle, highest: Math.max(highest, full), full, threads };
}

async function fill(worker: Worker): Promise<ReaderReport> {
  worker.postMessage('fill');
  const [report] = (await once(worker, 'message')) as [ReaderReport];
  return report;
}

/** Memory of this process that is its own and no file's: the map of the data is not in it (proc(5)). */
function anonymousBytes(): number {
  const found = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(found?.[1]) * 1024;
}

const report = await measure(JSON.parse(process.argv[2] ?? '') as MemorySettings);
process.send?.(report, () => process.disconnect());
