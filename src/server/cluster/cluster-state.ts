import { monotonicMs, type StreamStatus, type StreamWay } from '#engine';
import { gauges, type MetricDefinition, type Metrics } from '../../platform/index.ts';

const STREAMS_MAX = 16;
const ofNode = { across: 'max' } as const;
/** Of each stream that this node writes to. */
const ofEachStream = {
  labels: ['stream'],
  series: Array.from({ length: STREAMS_MAX }, (_, stream) => [String(stream)]),
  across: 'max',
} as const;

export const clusterMetrics: readonly MetricDefinition[] = [
  ...gauges(ofNode, {
    relata_cluster_sequence:
      "The last message of the cluster's log that this node has applied. 0 on a node that is alone.",
    relata_cluster_behind: "Messages of the cluster's log that this node has not applied yet, as far as it knows.",
    relata_cluster_interrupted: "1 while this node gets no messages of the cluster's log.",
    relata_cluster_cut_off: '1 while this node refuses writes because the log does not take them.',
    relata_cluster_works: '1 while this node runs the shared jobs, which one node runs for all.',
    relata_cluster_silent_seconds: "How long ago this node was sure to have applied what the cluster's log had.",
  }),
  ...gauges(ofEachStream, {
    relata_cluster_stream_sequence: 'The last message of a stream that this node has applied. Stream 0 is the log.',
    relata_cluster_stream_behind: 'Messages of a stream that this node has not applied yet, as far as it knows.',
    relata_cluster_stream_waiting_bytes: 'Bytes of changes for a stream that wait at this node for the log.',
  }),
];

const [KNOWN, BEHIND, INTERRUPTED, CUT_OFF, HEARD, SILENT] = [0, 1, 2, 3, 4, 5] as const;
const CELLS = 6;

/** What this node knows of the log that it shares, in memory that all threads map. */
export class ClusterState {
  readonly memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
  readonly #cells = new Int32Array(this.memory);
  #metrics: Metrics | undefined;
  #sequence = 0;

  /** The writer starts before there are metrics. */
  countBy(metrics: Metrics): void {
    this.#metrics = metrics;
  }

  /** The last message that this node has applied, as of some seconds ago. */
  get sequence(): number {
    return this.#sequence;
  }

  /** @param at when it was so, by `monotonicMs` */
  note({ sequence, behind, ways = [], isReading, isWritable, silentMs }: StreamStatus, at: number): void {
    this.#sequence = sequence;
    const heard = Math.floor((at - silentMs) / 1000);
    const values = [1, behind, isReading ? 0 : 1, isWritable ? 0 : 1, heard, silentAmong(ways)];
    values.forEach((value, index) => void Atomics.store(this.#cells, index, value));
    this.#metrics?.gauge('relata_cluster_sequence').set(sequence);
    this.#metrics?.gauge('relata_cluster_behind').set(behind);
    this.#metrics?.gauge('relata_cluster_silent_seconds').set(Math.floor(silentMs / 1000));
    this.#metrics?.gauge('relata_cluster_interrupted').set(isReading ? 0 : 1);
    this.#metrics?.gauge('relata_cluster_cut_off').set(isWritable ? 0 : 1);
    for (const way of ways) {
      const stream = String(way.stream);
      this.#metrics?.gauge('relata_cluster_stream_sequence', stream).set(way.sequence);
      this.#metrics?.gauge('relata_cluster_stream_behind', stream).set(way.behind);
      this.#metrics?.gauge('relata_cluster_stream_waiting_bytes', stream).set(way.waitingBytes);
    }
  }
}

/** How long ago, in seconds, this node was sure to have applied what the log had. 0 on a node that is alone. */
export function silentSeconds(cells: Int32Array): number {
  if (Atomics.load(cells, KNOWN) === 0) return 0;
  return Math.floor(monotonicMs() / 1000) - Atomics.load(cells, HEARD);
}

/** Whether this node refuses writes because the log that it shares does not take them. */
export function isCutOff(memory: SharedArrayBuffer | undefined): boolean {
  return memory !== undefined && Atomics.load(new Int32Array(memory), CUT_OFF) === 1;
}

/** What `/readyz` says of the log; nothing on a node that is alone. It still answers checks where this is not `ok`. */
export function logCheck(memory: SharedArrayBuffer | undefined): { readonly log?: string } {
  if (memory === undefined) return {};
  const cells = new Int32Array(memory);
  if (Atomics.load(cells, KNOWN) === 0) return {};
  if (isCutOff(memory)) return { log: 'cut off: writes are refused' };
  if (Atomics.load(cells, INTERRUPTED) === 1) return { log: 'interrupted' };
  const silent = Atomics.load(cells, SILENT);
  const streams = Array.from({ length: STREAMS_MAX }, (_, stream) => stream).filter((stream) => silent & (1 << stream));
  if (streams.length > 0) return { log: streams.map((stream) => `stream ${stream} does not answer`).join(', ') };
  const behind = Atomics.load(cells, BEHIND);
  return { log: behind > BEHIND_OK ? `behind by ${behind} messages` : 'ok' };
}

/** A bit for each side stream that does not tell where it ends. */
function silentAmong(ways: readonly StreamWay[]): number {
  let bits = 0;
  for (const { stream, isAnswering } of ways) if (stream > 0 && isAnswering === false) bits |= 1 << stream;
  return bits;
}

/** What is on its way at any moment on a busy node. */
const BEHIND_OK = 1000;
