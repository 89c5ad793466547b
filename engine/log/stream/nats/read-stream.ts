import {
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Reading } from '../message-stream.ts';
import type { StreamMessage } from '../replay.ts';
import { answered, unanswered } from './connection/answered.ts';

const NO_MESSAGE = 10037;
const NO_STREAM = 10059;
/** Messages that a server may send ahead. */
const AHEAD_MESSAGES = 256;
const PULL_MS = 10_000;
const HEARTBEAT_MS = 1000;
/** How long the servers keep a consumer that nobody reads from. */
const FORGOTTEN_MS = 30_000;

/** Tells of each loss of a connection. */
export class Disconnects {
  readonly #told = new Set<(reason: string) => void>();

  constructor(connection: NatsConnection) {
    void this.#watch(connection);
  }

  /** Calls once, at the next one, unless what it answers was called before. */
  next(tell: (reason: string) => void): () => void {
    this.#told.add(tell);
    return () => void this.#told.delete(tell);
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect' && type !== 'close' && type !== 'forceReconnect') continue;
      const reason = type === 'forceReconnect' ? 'its server takes no messages, and is left' : type;
      for (const tell of this.#told) tell(`the connection: ${reason}`);
      this.#told.clear();
    }
  }
}

export interface ReadFrom {
  readonly client: JetStreamClient;
  readonly disconnects: Disconnects;
  readonly stream: string;
  readonly sequence: number;
}

/** Ends at everything unusual, so that the reader compares its history with the stream's before it reads on. */
export async function readStream(
  { client, disconnects, stream, sequence }: ReadFrom,
  onMessage: (message: StreamMessage) => void,
): Promise<Reading> {
  const consumer = await answered(
    client.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence,
      inactive_threshold: FORGOTTEN_MS,
    }),
  );
  const messages = await answered(
    consumer.consume({
      max_messages: AHEAD_MESSAGES,
      expires: PULL_MS,
      idle_heartbeat: HEARTBEAT_MS,
      callback: (message) => onMessage(messageOf(message)),
    }),
  );
  let forget: () => void = () => {};
  const disconnected = new Promise<string>((resolve) => {
    forget = disconnects.next(resolve);
  });
  const stop = (): void => {
    forget();
    messages.stop();
    void consumer.delete().catch(() => {}); // the servers forget it by themselves
  };
  const unusual = async (): Promise<string> => {
    for await (const { type } of messages.status()) {
      if (type !== 'next' && type !== 'heartbeat' && type !== 'debug' && type !== 'discard') return type;
    }
    return 'it was stopped';
  };
  const ended = Promise.race([unusual(), disconnected, messages.closed().then((error) => String(error ?? 'closed'))]);
  return { ended, stop };
}

/** One message of a stream that is there; undefined where it, or the stream, is not. @throws EngineError `unavailable` */
export async function messageAt(
  manager: JetStreamManager,
  stream: string,
  sequence: number,
): Promise<Uint8Array | undefined> {
  try {
    return (await manager.streams.getMessage(stream, { seq: sequence }))?.data;
  } catch (error) {
    const isAbsent = error instanceof JetStreamApiError && (error.code === NO_MESSAGE || error.code === NO_STREAM);
    if (isAbsent) return undefined;
    throw unanswered(error);
  }
}

function messageOf({ seq, time, data }: JsMsg): StreamMessage {
  return { sequence: seq, time: time.getTime(), bytes: data };
}
