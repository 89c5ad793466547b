import { join } from 'node:path';
import { openClusterSnapshots, type WriterThread } from '#engine';
import type { Background, Config, Log } from '../../../platform/index.ts';
import type { ReaderDependencies } from '../../threads/open-reader.ts';
import { storeFolder } from '../../threads/thread-data.ts';
import type { ClusterState } from '../cluster-state.ts';
import { streamSettings } from '../writer-dependencies.ts';
import { SnapshotKeeper } from './snapshot-keeper.ts';

export interface SnapshotDependencies {
  readonly config: Config;
  readonly background: Background;
  readonly log: Log;
  readonly writer: Pick<WriterThread, 'backup' | 'agreeOn' | 'know'>;
  readonly cluster: Pick<ClusterState, 'sequence'>;
}

const TURN_MS = 5000;
const HOUR_MS = 3_600_000;
/** Beside the store, in the data folder. */
const DRAFTS = 'snapshot-draft';

/** Keeps the snapshots of the log, for as long as this node has the lease. Answers how to end that. */
export function startSnapshots(
  { config, background, log, writer, cluster }: SnapshotDependencies,
  { engine, clock }: ReaderDependencies,
): () => Promise<void> {
  const settings = streamSettings(config, '');
  if (settings === undefined) return async () => {};
  const keeper = new SnapshotKeeper({
    open: () => openClusterSnapshots(settings),
    engine,
    clock,
    log,
    schedule: {
      messages: config.clusterSnapshotMessages,
      everyMs: config.clusterSnapshotHours * HOUR_MS,
      absentMs: config.clusterAbsentHours * HOUR_MS,
    },
    sequence: () => cluster.sequence,
    path: join(config.dataDir, storeFolder),
    drafts: join(config.dataDir, DRAFTS),
    copy: (folder) => writer.backup(folder, { isOfSameLog: true }),
  });
  const turning = background.every('snapshots', TURN_MS, () => keeper.turn());
  return async () => {
    const stopped = turning.stop();
    await keeper.stop();
    await stopped;
  };
}
