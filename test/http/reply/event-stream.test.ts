import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  type EventSource,
  eventStream,
  renderEvent,
  type StreamSource,
  UnreadChunks,
} from '../../../src/http/index.ts';
import { formatEvent } from '../../../src/http/reply/event-stream.ts';
import { Background, silentLog } from '../../../src/platform/index.ts';

const background = new Background({ log: silentLog });

/** Reads a stream as a transport does, until it ends or `chunks` have come. */
async function read(source: EventSource, chunks: number, control = controls()): Promise<string[]> {
  const unread = new UnreadChunks({ stallMs: 60_000, bytesMax: 1e6 }, background);
  const body = eventStream(source, { heartbeatMs: 30, unread }).body as StreamSource;
  const seen: string[] = [];
  for await (const chunk of body(controlOf(control))) {
    seen.push(String(chunk));
    if (seen.length === chunks) break;
  }
  return seen;
}

const controls = () => ({ gone: new AbortController(), draining: new AbortController() });
const controlOf = ({ gone, draining }: ReturnType<typeof controls>) => ({
  gone: gone.signal,
  draining: draining.signal,
  cut: () => gone.abort(),
});

describe('an event stream', () => {
  test('opens at once, sends events, and ends with its source', async () => {
    const seen = await read(async function* () {
      yield { id: '7', event: 'change', data: { a: 1 } };
      yield { data: 'x' };
    }, 99);
    expect(seen).toEqual([': open\n\n', 'id: 7\nevent: change\ndata: {"a":1}\n\n', 'data: "x"\n\n']);
  });

  test('sends a comment while its source is silent, and loses no event by it', async () => {
    const seen = await read(async function* () {
      await sleep(80);
      yield { data: 1 };
    }, 99);
    expect(seen.filter((chunk) => chunk === ': \n\n').length).toBeGreaterThanOrEqual(1);
    expect(seen.at(-1)).toBe('data: 1\n\n');
  });

  test.each(['gone', 'draining'] as const)(
    'ends when the signal "%s" comes, even where its source ignores it',
    async (name) => {
      const control = controls();
      setTimeout(() => control[name].abort(), 20);
      const seen = await read(
        () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
        99,
        control,
      );
      expect(seen[0]).toBe(': open\n\n');
    },
  );

  test('does not begin after the end', async () => {
    const control = controls();
    control.gone.abort();
    expect(await read(async function* () {}, 99, control)).toEqual([]);
  });

  test('closes its source when the reader stops', async () => {
    let closed = false;
    await read(async function* () {
      try {
        for (let i = 0; ; i++) yield { data: i };
      } finally {
        closed = true;
      }
    }, 3);
    await sleep(5);
    expect(closed).toBe(true);
  });

  test('fails with its source', async () => {
    const failing: EventSource = async function* () {
      yield { data: 1 };
      throw new Error('source failed');
    };
    await expect(read(failing, 99)).rejects.toThrow('source failed');
  });
});

describe('a client that does not read', () => {
  /** A stream of which one chunk is under way and never taken. */
  const stalled = async (unread: UnreadChunks, size: number): Promise<AbortSignal> => {
    const control = controls();
    const source: EventSource = async function* () {
      yield renderEvent({ data: 'x'.repeat(size) });
      await new Promise(() => {});
    };
    const body = eventStream(source, { heartbeatMs: 60_000, unread }).body as StreamSource;
    const chunks = body(controlOf(control))[Symbol.asyncIterator]();
    for (let n = 0; n < 2; n++) await chunks.next();
    return control.gone.signal;
  };

  test('is let go after a time', async () => {
    const gone = await stalled(new UnreadChunks({ stallMs: 1, bytesMax: 1e9 }, background), 10);
    await expect.poll(() => gone.aborted, { timeout: 30_000 }).toBe(true);
  });

  test('is let go first where all have too much unread', async () => {
    const unread = new UnreadChunks({ stallMs: 1e9, bytesMax: 2500 }, background);
    const streams = [];
    for (let n = 0; n < 4; n++) streams.push(await stalled(unread, 1000));
    expect(streams.map(({ aborted }) => aborted)).toEqual([true, true, false, false]);
  });
});

describe('an event', () => {
  test('has one line for its data, whatever that contains', () => {
    expect(formatEvent({ data: 'a\r\n\r\nid: 9' })).toBe('data: "a\\r\\n\\r\\nid: 9"\n\n');
  });

  test.each([{ id: 'a\nb' }, { event: 'a\rb' }, { id: 'a\0' }])('%j cannot be sent', (fields) => {
    expect(() => formatEvent({ ...fields, data: 1 })).toThrow(RangeError);
  });
});
