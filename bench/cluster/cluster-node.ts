import { join } from 'node:path';
import { Engine, PortLog, type Store, startWriter, type WriterDependencies, type WriterThread } from '#engine';
import { STORE } from '../store/import-data-set.ts';
import { writerSettings } from '../store/writer-settings.ts';
import type { NatsServers } from './nats-servers.ts';

export const STREAM = 'bench';

/** A node's store and its way to the log: the writer in a thread of its own, its clients in this one. */
export interface ClusterNode {
  readonly engine: Engine;
  readonly writer: Pick<WriterThread, 'backup'>;
  readonly store: () => Store;
  close(): Promise<void>;
}

/** @param servers undefined: a node that is alone */
export async function startNode(
  name: string,
  scratch: string,
  servers: NatsServers | undefined,
  onNotice: WriterDependencies['onNotice'] = () => {},
  more: Partial<NonNullable<WriterDependencies['stream']>> = {},
): Promise<ClusterNode> {
  const settings = writerSettings(join(scratch, name));
  const writer = await startWriter(settings, {
    stream: servers && { ...streamSettings(name, servers), ...more },
    onNotice,
  });
  const log = new PortLog(writer.connect());
  const engine = await Engine.open({ path: settings.path, joined: { shared: settings.shared, log } });
  return {
    engine,
    writer,
    store: () => engine.store(STORE),
    async close() {
      await engine.close();
      await writer.close();
    },
  };
}

export function streamSettings(
  name: string,
  { url, monitorUrl }: NatsServers,
): NonNullable<WriterDependencies['stream']> {
  return { url, monitorUrl, stream: STREAM, replicas: 3, allowUnsafe: false, name, fingerprint: 'bench' };
}
