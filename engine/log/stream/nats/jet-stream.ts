import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { EngineError } from '../../../errors.ts';
import type { StreamStatus } from '../carried/stream-status.ts';
import { LOG_FORMAT } from '../log-format.ts';
import type { MessageStream, Reading, SideStream, StreamEnds } from '../message-stream.ts';
import type { StreamMessage } from '../replay.ts';
import { askNodes, tellStatus } from './ask-status.ts';
import { answered, unanswered } from './connection/answered.ts';
import { connectTo } from './connection/connect.ts';
import { ServerChoice } from './connection/server-choice.ts';
import { type AskedMove, takeMoves } from './move-store.ts';
import { ObjectBucket } from './object-bucket.ts';
import { Disconnects, messageAt, readStream } from './read-stream.ts';
import { findStream, type LogBeginning, requireStream, subjectOf } from './require-stream.ts';
import type { StreamSettings } from './settings.ts';
import { JetStreamBeside } from './side-streams.ts';

const REQUEST_MS = 3000;
/** A leader that does not answer in this time may be gone. */
const PUBLISH_MS = 2000;
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
  readonly #settings: StreamSettings;
  readonly #disconnects: Disconnects;
  readonly #choice: ServerChoice;
  readonly #beside = new Map<number, SideStream>();

  private constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    settings: StreamSettings,
    beginning: LogBeginning,
    choice: ServerChoice,
  ) {
    this.#choice = choice;
    this.log = beginning.log;
    this.beginning = beginning;
    this.#connection = connection;
    this.#client = jetstream(connection, { timeout: REQUEST_MS });
    this.#manager = manager;
    this.#settings = settings;
    this.#disconnects = new Disconnects(connection);
    this.messageBytesMax = (connection.info?.max_payload ?? 0) - HEADER_BYTES;
  }

  get #name(): string {
    return this.#settings.stream;
  }

  /**
   * @param check looks at the servers, and throws where they are not to be used
   * @throws EngineError `unavailable`, `invalid_argument`, `locked`
   */
  static async open(
    settings: StreamSettings,
    check: (connection: NatsConnection) => Promise<void> = async () => {},
  ): Promise<JetStream> {
    const choice = new ServerChoice();
    const connection = await connectTo(settings, choice);
    try {
      await check(connection);
      const manager = await answered(jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false }));
      const beginning = await requireStream(manager, settings);
      return new JetStream(connection, manager, settings, beginning, choice);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async publish(bytes: Uint8Array): Promise<void> {
    const expect = { streamName: this.#name };
    const sentAt = performance.now();
    try {
      await this.#client.publish(subjectOf(this.#name), bytes, { timeout: PUBLISH_MS, expect });
      this.#choice.taken();
    } catch (error) {
      // what the log itself refuses, another server would not take either
      if (!(error instanceof JetStreamApiError)) this.#choice.unanswered(this.#connection, sentAt);
      throw unanswered(error);
    }
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
    return messageAt(this.#manager, this.#name, sequence);
  }

  read(from: number, onMessage: (message: StreamMessage) => void): Promise<Reading> {
    const [client, disconnects] = [this.#client, this.#disconnects];
    return readStream({ client, disconnects, stream: this.#name, sequence: from }, onMessage);
  }

  beside(number: number): SideStream {
    const known = this.#beside.get(number);
    if (known !== undefined) return known;
    const [client, manager, disconnects] = [this.#client, this.#manager, this.#disconnects];
    const log = Buffer.from(this.log).toString('hex');
    const made = new JetStreamBeside({ client, manager, disconnects, settings: this.#settings, log, number });
    this.#beside.set(number, made);
    return made;
  }

  /** Tells whoever asks how this node does. */
  tell(name: string, status: () => StreamStatus): void {
    tellStatus(this.#connection, { stream: this.#name, name }, status);
  }

  /** Moves stores to other streams for whoever asks. */
  takeMoves(move: (asked: AskedMove) => Promise<void>): void {
    takeMoves(this.#connection, this.#name, move);
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
