import { askNodes } from './nats/ask-status.ts';
import { connectTo } from './nats/connect.ts';
import { cutStream } from './nats/cut-stream.ts';
import { ObjectBucket } from './nats/object-bucket.ts';
import type { StreamSettings } from './nats/settings.ts';
import type { Snapshot, SnapshotStore } from './snapshots/snapshot.ts';
import { type TakeOptions, takeSnapshot } from './snapshots/take-snapshot.ts';

/** The snapshots of a cluster, by a connection of their own. */
export interface OpenedSnapshots {
  readonly store: SnapshotStore;
  take(options: Omit<TakeOptions, 'store'>): Promise<Snapshot>;
  /** The nodes that answer, by host and port, and the last message that each has applied. */
  nodes(): Promise<{ readonly name: string; readonly sequence: number }[]>;
  /** Removes all messages before one from the log, if it still is the log of this identity, in hexadecimal. */
  cut(log: string, sequence: number): Promise<void>;
  close(): Promise<void>;
}

export async function openSnapshots(settings: StreamSettings): Promise<OpenedSnapshots> {
  const connection = await connectTo(settings);
  try {
    const store = await ObjectBucket.open(connection, settings);
    return {
      store,
      take: (options) => takeSnapshot({ ...options, store }),
      async nodes() {
        const nodes = await askNodes(connection, settings);
        return nodes.map(({ name, sequence }) => ({ name: name.split(' ').at(-1) ?? name, sequence }));
      },
      cut: (log, sequence) => cutStream(connection, settings.stream, log, sequence),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
