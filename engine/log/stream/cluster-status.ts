import type { ClusterStatus } from './nats/ask-status.ts';
import type { AskedMove } from './nats/move-store.ts';
import type { StreamSettings } from './nats/settings.ts';

/**
 * What the servers and the nodes of a cluster tell of themselves. What it is made of is loaded here only.
 * @throws EngineError `unavailable` where no server answers
 */
export async function clusterStatus(settings: StreamSettings): Promise<ClusterStatus> {
  const { askStatus } = await import('./nats/ask-status.ts');
  return askStatus(settings);
}

/** See `moveStore`. */
export async function moveInCluster(settings: StreamSettings, asked: AskedMove): Promise<void> {
  const { moveStore } = await import('./nats/move-store.ts');
  await moveStore(settings, asked);
}
