import type { Counter } from '../../platform/index.ts';
import type { ConnectionBound } from './connection-bound.ts';
import type { HeaderBlock } from './header-block.ts';

export type TransportKind = 'socket' | 'uws';

/**
 * The contract between the service and an HTTP server. It has two implementations, over sockets of Node.js and over
 * uWebSockets.js, and one suite of tests that both pass.
 */
export interface Transport {
  readonly kind: TransportKind;
  /** Whether several threads can each listen on the same port, the kernel dealing connections out among them. */
  readonly sharesPort: boolean;
  /** @param address `port` 0 takes a free one. @throws Error where the address cannot be bound */
  listen(address: ListenAddress, listener: Listener): Promise<Listening>;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface Listening {
  readonly port: number;
  /**
   * Stops accepting, lets requests in flight finish (streams are told through `StreamControl.draining`), then closes
   * every connection. @param timeoutMs after which what still runs is cut off
   * @returns how many requests were cut off
   */
  drain(timeoutMs: number): Promise<number>;
  /**
   * Closes idle connections to make room for others; requests and streams under way go on. uWebSockets.js can tell
   * connections apart only while they have a request: there it closes all or, where one has a request, lets nobody in
   * for a second.
   */
  makeRoom(): Promise<void>;
  /** Closes at once. */
  close(): Promise<void>;
}

/** Counts connections that were closed because there were too many, by kind. */
export interface ClosedConnections {
  /** Idle for the longest, closed to make room. */
  readonly idle: Counter;
  /** New, when none was idle. */
  readonly refused: Counter;
  /** New, of an address with too many, when none of these was idle. */
  readonly address: Counter;
}

/** Limits that the transports of all threads share. */
export interface ConnectionLimits {
  readonly bound: ConnectionBound;
  readonly closed: ClosedConnections;
}

export interface TransportLimits {
  /** Time in which a request head must be complete. uWebSockets.js has its own: 10 s of silence, 4 KB. */
  readonly headersTimeoutMs: number;
  /** Time from the head to the end of the body. */
  readonly bodyTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly headerBytes: number;
}

/** What answers requests. It must not throw and its promises must not reject: every failure is an answer. */
export interface Listener {
  /**
   * Some requests that have come together, before the first of them is accepted: what they will look at in memory can
   * then be on its way for all of them at once. Decides nothing, and need not be called.
   */
  foresee?(requests: readonly Foreseen[]): void;
  /** The head is complete. Gives the request its id and route; answers how many bytes of body may follow. */
  accept(request: IncomingRequest): number;
  /** The body is complete. A plain result is written in the same turn, without a promise. */
  handle(request: IncomingRequest): Outgoing | Promise<Outgoing>;
  /** The body passed a bound, or has a form that is not accepted: the answer is written and the connection closed. */
  refuse(request: IncomingRequest, reason: Refusal): Outgoing;
  /** A stream broke in the middle: there is no answer left to give, only a line in the log. */
  failed(request: IncomingRequest, error: unknown): void;
}

export type Refusal = 'body_too_large' | 'length_required' | 'request_timeout';

/** What is known of a request before it is accepted. */
export interface Foreseen {
  /** What has come; the same for all requests that are foreseen together. */
  readonly octets: Buffer;
  /** Where the body stands in it, if it has come with the head; the same two offsets where not. */
  readonly bodyFrom: number;
  readonly bodyTo: number;
  /**
   * Where the value of `Authorization` stands in it; the same two offsets where there is none, more than one, or an
   * `X-API-Key` too.
   */
  readonly credentialFrom: number;
  readonly credentialTo: number;
  /** Of the listener: where it will look for the credential first. -1 where it has put nothing there. */
  credentialSlot: number;
}

export interface IncomingRequest {
  /** Upper case. */
  readonly method: string;
  /** As sent: not decoded, without the query. */
  readonly path: string;
  /** As sent, without `?`; `''` where absent. Read it in `accept` to have it later: most requests need none. */
  readonly query: string;
  /** The same request, as long as its octets stand where they were foreseen; undefined where they were not. */
  readonly foreseen?: Foreseen | undefined;
  /** Of all requests with this very head, whatever the length of their body is; undefined where it is not known again. */
  readonly notes?: HeadNotes | undefined;
  /** Value of a header, its name given in lower case; `''` where absent. Repeated ones are joined by `, `. */
  header(name: string): string;
  /** Canonical text of the peer's address; `''` where it is gone or unknown. */
  peerAddress(): string;
  /**
   * The complete body. Valid only until `handle` returns: it is a view of memory that is used again then. What answers later must have read it, or copied it, before.
   */
  readonly body: Buffer;
  /** The body, a character for each octet. */
  bodyText(): string;
  /** When the transport came to its head, of `performance.now()`. What came in one piece may have one time. */
  readonly startedAt: number;
  /** When it was handed to `handle`, of `performance.now()`; undefined where the transport does not know it. */
  readonly handledAt?: number | undefined;
  /** Slots of the listener, set in `accept`. */
  id: string;
  route: unknown;
  /** Headers for the answer, whatever it is. */
  added: Readonly<Record<string, string>> | undefined;
}

/** What was read of a head, kept for who reads the same head again. Each is a function of the head alone. */
export class HeadNotes {
  /** Of the application: where the request belongs. */
  route: unknown = undefined;
  /** Whether the type of the body is one that its endpoint takes, in the form of nearly all requests. */
  isUsualType: boolean | undefined = undefined;
  /** Of the guard: the credential as it was sent, which is judged for each request anew. */
  credential: unknown = undefined;
}

/** An answer. Made once and reused where nothing in it changes: transports do not write to it. */
export interface Outgoing {
  readonly status: number;
  readonly head: HeaderBlock;
  /** Name, value, name, value: the headers that differ between answers of one kind. */
  readonly more?: readonly string[] | undefined;
  readonly body: string | Uint8Array | StreamSource | undefined;
  /** Whether this answer ends its connection. */
  readonly close?: boolean | undefined;
}

export interface StreamControl {
  /** Aborts when the client has gone or the drain has run out of time. */
  readonly gone: AbortSignal;
  /** Aborts when the server begins to drain: a stream without an end must end now. */
  readonly draining: AbortSignal;
  /** Ends the connection of a client that does not read. */
  cut(): void;
}

/**
 * A body that is made while it is sent. The next chunk is asked for only when the one before was taken by the network.
 * An error cuts the connection, so that the client sees a broken body and not a short one.
 */
export type StreamSource = (control: StreamControl) => AsyncIterable<string | Uint8Array>;
