import {
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { EngineError } from '../../../errors.ts';
import { LOG_FORMAT } from '../log-format.ts';
import type { MessageStream, Reading, StreamEnds } from '../message-stream.ts';
import type { StreamMessage } from '../replay.ts';
import type { StreamStatus } from '../stream-log.ts';
import { answered, unanswered } from './answered.ts';
import { askNodes, tellStatus } from './ask-status.ts';
import { connectTo } from './connect.ts';
import { ObjectBucket } from './object-bucket.ts';
import { findStream, type LogBeginning, requireStream, subjectOf } from './require-stream.ts';
import type { StreamSettings } from './settings.ts';

const REQUEST_MS = 3000;
/** A leader that does not answer in this time may be gone. */
const PUBLISH_MS = 2000;
const NO_MESSAGE = 10037;
/** Messages that a server may send ahead. */
const AHEAD_MESSAGES = 256;
const PULL_MS = 10_000;
const HEARTBEAT_MS = 1000;
/** How long the servers keep a consumer that nobody reads from. */
const FORGOTTEN_MS = 30_000;
/** For what stands beside the bytes of a message. */
const HEADER_BYTES = 1024;

/** A stream of JetStream. It is the log once its servers have been looked at. */
export class JetStream implements MessageStream {
  readonly log: Uint8Array;
  readonly beginning: LogBeginning;
  readonly messageBytesMax: number;
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #name: string;
  /** Of the last reading. */
  #onDisconnect: ((reason: string) => void) | undefined;

  private constructor(connection: NatsConnection, manager: JetStreamManager, name: string, beginning: LogBeginning) {
    this.log = beginning.log;
    this.beginning = beginning;
    this.#connection = connection;
    this.#client = jetstream(connection, { timeout: REQUEST_MS });
    this.#manager = manager;
    this.#name = name;
    void this.#watch();
    this.messageBytesMax = (connection.info?.max_payload ?? 0) - HEADER_BYTES;
  }

  /**
   * @param check looks at the servers, and throws where they are not to be used
   * @throws EngineError `unavailable`, `invalid_argument`, `locked`
   */
  static async open(
    settings: StreamSettings,
    check: (connection: NatsConnection) => Promise<void> = async () => {},
  ): Promise<JetStream> {
    const connection = await connectTo(settings);
    try {
      await check(connection);
      const manager = await answered(jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false }));
      const beginning = await requireStream(manager, settings);
      return new JetStream(connection, manager, settings.stream, beginning);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async publish(bytes: Uint8Array): Promise<void> {
    const expect = { streamName: this.#name };
    await answered(this.#client.publish(subjectOf(this.#name), bytes, { timeout: PUBLISH_MS, expect }));
  }

  async ends(): Promise<StreamEnds> {
    const found = await findStream(this.#manager, this.#name);
    // a log that is gone is one that was set back to its beginning
    if (found === undefined) return { first: 1, last: 0 };
    const { config, state } = found;
    if (config.metadata?.relata_log !== Buffer.from(this.log).toString('hex')) {
      throw new EngineError(
        'corrupt',
        'the log of the cluster was deleted, and another one was made. Nothing is written. Where it was repaired from ' +
          'another node, start this one again',
      );
    }
    return { first: state.first_seq, last: state.last_seq };
  }

  async message(sequence: number): Promise<Uint8Array | undefined> {
    try {
      return (await this.#manager.streams.getMessage(this.#name, { seq: sequence }))?.data;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === NO_MESSAGE) return undefined;
      throw unanswered(error);
    }
  }

  /** Ends at everything unusual, so that the reader compares its history with the stream's before it reads on. */
  async read(from: number, onMessage: (message: StreamMessage) => void): Promise<Reading> {
    const consumer = await answered(
      this.#client.consumers.get(this.#name, {
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
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
    const stop = (): void => {
      messages.stop();
      void consumer.delete().catch(() => {}); // the servers forget it by themselves
    };
    const unusual = async (): Promise<string> => {
      for await (const { type } of messages.status()) {
        if (type !== 'next' && type !== 'heartbeat' && type !== 'debug' && type !== 'discard') return type;
      }
      return 'it was stopped';
    };
    const disconnected = new Promise<string>((resolve) => {
      this.#onDisconnect = resolve;
    });
    const ended = Promise.race([unusual(), disconnected, messages.closed().then((error) => String(error ?? 'closed'))]);
    return { ended, stop };
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect' || type === 'close') this.#onDisconnect?.(`the connection: ${type}`);
    }
  }

  /** Tells whoever asks how this node does. */
  tell(name: string, status: () => StreamStatus): void {
    tellStatus(this.#connection, { stream: this.#name, name }, status);
  }

  /** The newest format of messages that all nodes read that answer now: this one among them, once it tells. */
  async formatOfNodes(): Promise<number> {
    const nodes = await askNodes(this.#connection, { stream: this.#name });
    return Math.min(LOG_FORMAT, ...nodes.map(({ formats }) => formats?.log ?? 1));
  }

  snapshots(settings: StreamSettings): Promise<ObjectBucket> {
    return ObjectBucket.open(this.#connection, settings);
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

function messageOf({ seq, time, data }: JsMsg): StreamMessage {
  return { sequence: seq, time: time.getTime(), bytes: data };
}
