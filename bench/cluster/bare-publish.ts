import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { secondsSince } from '../measure/clock.ts';

export interface StreamSize {
  readonly messages: number;
  readonly bytes: number;
}

export async function sizeOf(url: string, stream: string): Promise<StreamSize> {
  const connection = await connect({ servers: url.split(',') });
  try {
    const { state } = await (await jetstreamManager(connection)).streams.info(stream);
    return { messages: state.messages, bytes: state.bytes };
  } finally {
    await connection.close();
  }
}

export interface BareLoad {
  /** Of a message. */
  readonly bytes: number;
  readonly connections: number;
  /** Over the connections in turn; each waits for its message before it sends the next. */
  readonly senders: number;
  readonly seconds: number;
}

/** Publishes messages of one size to a stream that is kept as the log is. Answers messages a second. */
export async function barePublish(
  url: string,
  { bytes, connections: count, senders, seconds }: BareLoad,
): Promise<number> {
  const connections = await Promise.all(Array.from({ length: count }, () => connect({ servers: url.split(',') })));
  try {
    const [first] = connections as [(typeof connections)[0]];
    const manager = await jetstreamManager(first);
    await manager.streams.add({ name: 'bare', subjects: ['bare'], num_replicas: 3 });
    const payload = Buffer.alloc(bytes, 7);
    let published = 0;
    const startedAt = process.hrtime.bigint();
    const clients = connections.map((connection) => jetstream(connection));
    await Promise.all(
      Array.from({ length: senders }, async (_, n) => {
        const client = clients[n % count] as (typeof clients)[0];
        while (secondsSince(startedAt) < seconds) {
          await client.publish('bare', payload);
          published++;
        }
      }),
    );
    const rate = published / secondsSince(startedAt);
    await manager.streams.delete('bare');
    return rate;
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}
