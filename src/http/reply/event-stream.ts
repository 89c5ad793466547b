import type { StreamControl } from '../transport/transport.ts';
import { type Reply, stream } from './reply.ts';
import type { UnreadChunks } from './unread-chunks.ts';

/** One server-sent event (WHATWG HTML, 9.2). `data` is written as JSON, which has no raw line break. */
export interface ServerEvent {
  /** What a client sends as `Last-Event-ID` when it connects again. */
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

/** An event as it is sent, made once for all streams that send it. */
export interface RenderedEvent {
  readonly bytes: Uint8Array;
}

/** @throws RangeError as `formatEvent` */
export function renderEvent(event: ServerEvent): RenderedEvent {
  return { bytes: Buffer.from(formatEvent(event)) };
}

/**
 * Where events come from. It should stop waiting when `signal` aborts (the client went, the server drains); what it
 * yields afterwards is not sent.
 */
export type EventSource = (signal: AbortSignal) => AsyncIterable<ServerEvent | RenderedEvent>;

interface EventStreamOptions {
  /** Silence after which a comment is sent, so that no proxy and no transport takes the stream for dead. */
  readonly heartbeatMs: number;
  /** Disconnects clients that do not read. */
  readonly unread: UnreadChunks;
}

/** Streams events until the source ends, the client goes or the server drains. */
export function eventStream(source: EventSource, options: EventStreamOptions): Reply<never> {
  return stream('text/event-stream', (control) => eventChunks(source, options, control), {
    // a buffering proxy would hold events back
    'x-accel-buffering': 'no',
  });
}

async function* eventChunks(
  source: EventSource,
  { heartbeatMs, unread }: EventStreamOptions,
  control: StreamControl,
): AsyncGenerator<string | Uint8Array> {
  if (control.gone.aborted || control.draining.aborted) return;
  // not AbortSignal.any: what that ties to a signal which lives as long as the server is let go late or never
  const either = new AbortController();
  const stop = (): void => either.abort();
  control.gone.addEventListener('abort', stop);
  control.draining.addEventListener('abort', stop);
  const reader = new SourceReader(source, either.signal);
  const sent = unread.of(() => control.cut());
  try {
    // the head is sent with the first chunk, and the client should know at once that it is connected
    yield ': open\n\n';
    for (;;) {
      const turn = await reader.wait(heartbeatMs);
      if (turn === 'ended') return;
      const chunk = turn === 'silent' ? ': \n\n' : 'bytes' in turn ? turn.bytes : formatEvent(turn);
      sent.begin(chunk.length);
      yield chunk;
      // the next chunk is requested once the network has taken this one
      sent.end();
    }
  } finally {
    sent.end();
    control.gone.removeEventListener('abort', stop);
    control.draining.removeEventListener('abort', stop);
    reader.close();
  }
}

/**
 * Waits for the next event, the end, or a time of silence, whichever is first. Made by hand, because every
 * `Promise.race` would leave a callback on the signal's promise for as long as the stream is open.
 */
class SourceReader {
  readonly #events: AsyncIterator<ServerEvent | RenderedEvent>;
  readonly #signal: AbortSignal;
  #arrived: IteratorResult<ServerEvent | RenderedEvent> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(source: EventSource, signal: AbortSignal) {
    this.#signal = signal;
    this.#events = source(signal)[Symbol.asyncIterator]();
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
    this.#ask();
  }

  /** @throws whatever the source throws */
  async wait(silenceMs: number): Promise<ServerEvent | RenderedEvent | 'silent' | 'ended'> {
    if (this.#arrived === undefined && this.#failure === undefined && !this.#signal.aborted)
      await this.#pause(silenceMs);
    if (this.#signal.aborted) return 'ended';
    if (this.#failure !== undefined) throw this.#failure.error;
    const arrived = this.#arrived;
    if (arrived === undefined) return 'silent';
    if (arrived.done) return 'ended';
    this.#ask();
    return arrived.value;
  }

  close(): void {
    // not awaited: a source that does not heed the signal must not hold the connection
    this.#events.return?.()?.then(undefined, () => {});
  }

  #ask(): void {
    this.#arrived = undefined;
    this.#events.next().then(
      (result) => {
        this.#arrived = result;
        this.#wake?.();
      },
      (error) => {
        this.#failure = { error };
        this.#wake?.();
      },
    );
  }

  #pause(silenceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, silenceMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** @throws RangeError where `id` or `event` has a line break, which would begin another field */
export function formatEvent({ id, event, data }: ServerEvent): string {
  for (const field of [id, event]) {
    if (field !== undefined && /[\r\n\0]/.test(field)) throw new RangeError('a field of an event has a line break');
  }
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}
