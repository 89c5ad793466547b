import type { Engine } from '#engine';
import { ofAll } from '../../kernel/modules/index.ts';
import { backgroundMetrics, type MetricDefinition, type Metrics, serviceVersion } from '../../platform/index.ts';
import type { ServiceModule } from '../modules.ts';

export const threadMetrics: readonly MetricDefinition[] = [
  { kind: 'gauge', name: 'relata_revision', help: 'The latest revision that a thread has seen.', across: 'max' },
  { kind: 'gauge', name: 'relata_commit_queue_depth', help: 'Commands on their way to the disk.', across: 'sum' },
  { kind: 'counter', name: 'relata_adjacency_cache_hits_total', help: 'Adjacency lists found in memory.' },
  { kind: 'counter', name: 'relata_adjacency_cache_misses_total', help: 'Adjacency lists read from the store.' },
  {
    kind: 'gauge',
    name: 'relata_adjacency_cache_hit_ratio',
    help: 'The highest hit ratio of a thread.',
    across: 'max',
  },
];

export const processMetrics: readonly MetricDefinition[] = [
  {
    kind: 'gauge',
    name: 'relata_build_info',
    help: 'Always 1; its labels say which version of Relata runs on which version of Node.js.',
    across: 'max',
    labels: ['version', 'node'],
    series: [[serviceVersion, process.versions.node]],
  },
  { kind: 'gauge', name: 'process_resident_memory_bytes', help: 'Resident memory of the process.', across: 'max' },
  { kind: 'gauge', name: 'relata_heap_used_bytes', help: 'Used JavaScript heap, over all threads.', across: 'sum' },
  {
    kind: 'gauge',
    name: 'relata_array_buffers_bytes',
    help: 'Buffers outside the heap, over all threads.',
    across: 'sum',
  },
];

/** All that the service measures but its routes, which the acceptors know. */
export function metricsOf(modules: readonly ServiceModule[]): MetricDefinition[] {
  const jobs = ofAll(modules, (module) => module.jobs).map(({ name }) => name);
  return [...ofAll(modules, ({ metrics }) => metrics), ...backgroundMetrics(jobs)];
}

/** Sets one thread's gauges. To be called every second or so. */
export function threadSampler(engine: Engine, metrics: Metrics): () => void {
  const revision = metrics.gauge('relata_revision');
  const queue = metrics.gauge('relata_commit_queue_depth');
  const hits = metrics.counter('relata_adjacency_cache_hits_total');
  const misses = metrics.counter('relata_adjacency_cache_misses_total');
  const ratio = metrics.gauge('relata_adjacency_cache_hit_ratio');
  const resident = metrics.gauge('process_resident_memory_bytes');
  const heap = metrics.gauge('relata_heap_used_bytes');
  const buffers = metrics.gauge('relata_array_buffers_bytes');
  metrics.gauge('relata_build_info', serviceVersion, process.versions.node).set(1);
  let before = { hits: 0, misses: 0 };
  return () => {
    revision.set(engine.revision());
    queue.set(engine.pending);
    const counts = engine.cacheCounts();
    hits.add(counts.hits - before.hits);
    misses.add(counts.misses - before.misses);
    before = counts;
    const looked = counts.hits + counts.misses;
    ratio.set(looked === 0 ? 0 : counts.hits / looked);
    const memory = memoryUsage();
    if (memory === undefined) return;
    resident.set(memory.rss);
    heap.set(memory.heapUsed);
    buffers.set(memory.arrayBuffers);
  };
}

/**
 * `undefined` if it cannot be read now: the resident size is in a file, and the process may have no file left to open.
 */
function memoryUsage(): NodeJS.MemoryUsage | undefined {
  try {
    return process.memoryUsage();
  } catch {
    return undefined;
  }
}
