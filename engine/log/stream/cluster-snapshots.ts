import type { BeginOptions, Begun } from './begin-log.ts';
import type { StreamSettings } from './nats/settings.ts';
import type { OpenedSnapshots } from './open-snapshots.ts';

/**
 * The snapshots of a cluster, for the node that keeps them for all. What it is made of is loaded here only.
 * @throws EngineError `unavailable` where no server answers
 */
export async function openClusterSnapshots(settings: StreamSettings): Promise<OpenedSnapshots> {
  const { openSnapshots } = await import('./open-snapshots.ts');
  return openSnapshots(settings);
}

/** See `beginLog`. */
export async function beginClusterLog(options: BeginOptions): Promise<Begun> {
  const { beginLog } = await import('./begin-log.ts');
  return beginLog(options);
}
