import type { NodeFormats } from './log-format.ts';
import { addressOf, askNodes } from './nats/ask-status.ts';
import { connectTo } from './nats/connection/connect.ts';
import { cutStream } from './nats/cut-stream.ts';
import { ObjectBucket } from './nats/object-bucket.ts';
import type { StreamSettings } from './nats/settings.ts';
import type { NeededFrom, Snapshot, SnapshotStore } from './snapshots/snapshot.ts';
import { type TakeOptions, takeSnapshot } from './snapshots/take-snapshot.ts';

export interface AnsweringNode {
  /** Host and port. */
  readonly name: string;
  /** The last message that it has applied. */
  readonly sequence: number;
  /** Undefined where its version does not tell. */
  readonly formats: NodeFormats | undefined;
}

/** The snapshots of a cluster, by a connection of their own. */
export interface OpenedSnapshots {
  readonly store: SnapshotStore;
  take(options: Omit<TakeOptions, 'store'>): Promise<Snapshot>;
  /** The nodes that answer. */
  nodes(): Promise<AnsweringNode[]>;
  /**
   * Removes all messages before one from the log, if it still is the log of this identity, in hexadecimal; and from streams
   * beside it what is not needed.
   */
  cut(log: string, sequence: number, beside?: readonly NeededFrom[]): Promise<void>;
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
        return nodes.map(({ name, sequence, formats }) => ({ name: addressOf(name), sequence, formats }));
      },
      cut: (log, sequence, beside) => cutStream(connection, settings.stream, log, sequence, beside),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
