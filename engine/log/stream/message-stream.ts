import type { StreamMessage } from './replay.ts';

/** What stands in a stream: messages from `first` to `last`, or none where `last` is lower. */
export interface StreamEnds {
  readonly first: number;
  readonly last: number;
}

/** Reading that goes on until it breaks, or is stopped. */
export interface Reading {
  /** Why it ended, in words. */
  readonly ended: Promise<string>;
  stop(): void;
}

/** A replicated stream of messages, in one order for everybody. All of it rejects where the stream does not answer. */
interface ReplicatedStream {
  ends(): Promise<StreamEnds>;
  /** One message that is there; undefined where it is not. */
  message(sequence: number): Promise<Uint8Array | undefined>;
  /** Every message from a sequence on. What comes may have gaps, as after a lost connection: the reader looks at that. */
  read(from: number, onMessage: (message: StreamMessage) => void): Promise<Reading>;
}

/** The stream that is the log. */
export interface MessageStream extends ReplicatedStream {
  /** The log's identity, which was chosen when the stream was made. */
  readonly log: Uint8Array;
  readonly messageBytesMax: number;
  /** Resolves when a majority of the servers has the message on disk. */
  publish(bytes: Uint8Array): Promise<void>;
  /** A side stream, from 1 on. It need not be there. */
  beside(number: number): SideStream;
  close(): Promise<void>;
}

/** A side stream, for messages that the log refers to. Where it is not there, it ends at message 0. */
export interface SideStream extends ReplicatedStream {
  /** As that of the log; makes the stream where it is not there. Answers the sequence of the message. */
  publish(bytes: Uint8Array): Promise<number>;
}
