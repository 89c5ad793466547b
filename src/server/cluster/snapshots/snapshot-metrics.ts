import type { Engine } from '#engine';
import { platformStore } from '../../../kernel/organizations/index.ts';
import type { Background, Clock, MetricDefinition, Metrics } from '../../../platform/index.ts';
import { logRecordId, logRecords } from './log-record.ts';

export const snapshotMetrics: readonly MetricDefinition[] = [
  {
    kind: 'gauge',
    name: 'relata_cluster_snapshot_sequence',
    help: "The last message of the cluster's log that is part of its last snapshot. 0 where there is none.",
    across: 'max',
  },
  {
    kind: 'gauge',
    name: 'relata_cluster_snapshot_age_seconds',
    help: "Seconds since the last snapshot of the cluster's log was made. 0 where there is none.",
    across: 'max',
  },
];

const TOLD_MS = 5000;

/** On every node: what this node's data say of it. */
export function tellOfSnapshots(engine: Engine, clock: Clock, metrics: Metrics, background: Background): void {
  const sequence = metrics.gauge('relata_cluster_snapshot_sequence');
  const age = metrics.gauge('relata_cluster_snapshot_age_seconds');
  background.every('snapshots', TOLD_MS, () => {
    const last = engine.read(() => logRecords.get(engine.store(platformStore), logRecordId)?.document.snapshot);
    if (last === undefined) return;
    sequence.set(last.sequence);
    age.set(Math.max(0, Math.round((clock.now() - last.time) / 1000)));
  });
}
