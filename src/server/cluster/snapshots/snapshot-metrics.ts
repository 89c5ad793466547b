import type { Engine } from '#engine';
import { platformStore } from '../../../kernel/organizations/index.ts';
import {
  type Background,
  type Clock,
  gauges,
  type Log,
  type MetricDefinition,
  type Metrics,
} from '../../../platform/index.ts';
import { logRecordId, logRecords } from './log-record.ts';

const ofNode = { across: 'max' } as const;

export const snapshotMetrics: readonly MetricDefinition[] = gauges(ofNode, {
  relata_cluster_snapshot_sequence:
    "The last message of the cluster's log that is part of its last snapshot. 0 where there is none.",
  relata_cluster_snapshot_age_seconds:
    "Seconds since the last snapshot of the cluster's log was made. 0 where there is none.",
  relata_cluster_snapshot_failing:
    "1 while the snapshot of the cluster's log that is due cannot be made: the log of the service says why.",
});

const TOLD_MS = 5000;

export interface TellDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly background: Background;
  readonly log: Log;
}

/** On every node: what this node's data say of it. */
export function tellOfSnapshots({ engine, clock, metrics, background, log }: TellDependencies): void {
  let problem: string | undefined;
  const failing = metrics.gauge('relata_cluster_snapshot_failing');
  const sequence = metrics.gauge('relata_cluster_snapshot_sequence');
  const age = metrics.gauge('relata_cluster_snapshot_age_seconds');
  background.every('snapshots', TOLD_MS, () => {
    const known = engine.read(() => logRecords.get(engine.store(platformStore), logRecordId)?.document);
    failing.set(known?.problem === undefined ? 0 : 1);
    if (known?.problem !== undefined && known.problem !== problem) {
      log.warn({ reason: known.problem }, 'no snapshot of the log can be made by the node that runs the shared jobs');
    }
    problem = known?.problem;
    const last = known?.snapshot;
    if (last === undefined) return;
    sequence.set(last.sequence);
    age.set(Math.max(0, Math.round((clock.now() - last.time) / 1000)));
  });
}
