import type { Engine, WriterThread } from '#engine';
import { platformStore } from '../../../kernel/organizations/index.ts';
import { type Background, type Clock, gauges, type MetricDefinition, type Metrics } from '../../../platform/index.ts';
import { logRecordId, logRecords } from './log-record.ts';

export const nodeMetrics: readonly MetricDefinition[] = gauges(
  { across: 'max' },
  {
    relata_cluster_nodes: 'Nodes of the cluster that were seen in the last minute. 0 on a node that is alone.',
    relata_cluster_nodes_absent:
      'Nodes of the cluster that were seen before, and not in the last minute. They are forgotten after some hours.',
  },
);

const LOOK_MS = 5000;
/** Whoever asks for the status hears of so many. */
const TOLD_MAX = 100;
/** All are asked every 15 seconds; another node takes over within 20 where the one that asks has gone. */
const ABSENT_MS = 60_000;

export interface KnownNodesDependencies {
  readonly engine: Engine;
  readonly writer: Pick<WriterThread, 'know'>;
  readonly background: Background;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** On every node: its metrics, and the status of the cluster, have the nodes that were seen, also those that have gone. */
export function tellKnownNodes({ engine, writer, background, clock, metrics }: KnownNodesDependencies): void {
  const present = metrics.gauge('relata_cluster_nodes');
  const absent = metrics.gauge('relata_cluster_nodes_absent');
  background.every('known_nodes', LOOK_MS, () => {
    const known = engine.read(() => logRecords.get(engine.store(platformStore), logRecordId)?.document.nodes) ?? [];
    const now = clock.now();
    const gone = known.filter(({ seen }) => now - seen > ABSENT_MS).length;
    present.set(known.length - gone);
    absent.set(gone);
    writer.know(known.slice(0, TOLD_MAX).map(({ name, seen }) => ({ name, seen })));
  });
}
