import type { StreamControl } from '../transport/transport.ts';
import { type Reply, stream } from './reply.ts';

/** One server-sent event (WHATWG HTML, 9.2). `data` is written as JSON, which has no raw line break. */
export interface ServerEvent {
  /** What a client sends as `Last-Event-ID` when it connects again. */
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

/**
 * Where events come from. It should stop waiting when `signal` aborts (the client went, the server drains); what it
 * yields afterwards is not sent.
 */
export type EventSource = (signal: AbortSignal) => AsyncIterable<ServerEvent>;

export interface EventStreamOptions {
  /** Silence after which a comment is sent, so that no proxy and no transport takes the stream for dead. */
  readonly heartbeatMs: number;
}

/** Streams events until the source ends, the client goes or the server drains. */
export function eventStream(source: EventSource, options: EventStreamOptions): Reply<never> {
  return stream('text/event-stream', (control) => eventChunks(source, options.heartbeatMs, control), {
    // a buffering proxy would hold events back
    'x-accel-buffering': 'no',
  });
}

const beat = Symbol('heartbeat');
const stop = Symbol('stop');

async function* eventChunks(source: EventSource, heartbeatMs: number, control: StreamControl): AsyncGenerator<string> {
  const signal = AbortSignal.any([control.gone, control.draining]);
  if (signal.aborted) return;
  const events = source(signal)[Symbol.asyncIterator]();
  const stopped = new Promise<typeof stop>((resolve) => {
    signal.addEventListener('abort', () => resolve(stop), { once: true });
  });
  // the head is sent with the first chunk, and the client should know at once that it is connected
  yield ': open\n\n';
  let next = events.next();
  // a source that fails while a heartbeat is being sent is seen in the next round
  next.catch(() => {});
  try {
    for (;;) {
      const timer = heartbeat(heartbeatMs);
      const turn = await Promise.race([next, timer.promise, stopped]).finally(timer.clear);
      if (turn === stop) return;
      if (turn === beat) {
        yield ': \n\n';
        continue;
      }
      if (turn.done) return;
      yield formatEvent(turn.value);
      next = events.next();
      next.catch(() => {});
    }
  } finally {
    // not awaited: a source that does not heed the signal must not hold the connection
    events.return?.()?.then(undefined, () => {});
  }
}

function heartbeat(milliseconds: number): { promise: Promise<typeof beat>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<typeof beat>((resolve) => {
    timer = setTimeout(() => resolve(beat), milliseconds);
  });
  return { promise, clear: () => clearTimeout(timer) };
}

/** @throws RangeError where `id` or `event` has a line break, which would begin another field */
export function formatEvent({ id, event, data }: ServerEvent): string {
  for (const field of [id, event]) {
    if (field !== undefined && /[\r\n\0]/.test(field)) throw new RangeError('a field of an event has a line break');
  }
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}
