import type { MessageStream, Reading, StreamEnds } from '../../../../engine/log/stream/message-stream.ts';
import type { StreamMessage } from '../../../../engine/log/stream/replay.ts';

/** What becomes of a message: kept and acknowledged; kept, and the acknowledgement is lost; lost; kept twice. */
export type Fate = 'kept' | 'unacknowledged' | 'lost' | 'doubled';

interface Reader {
  next: number;
  readonly onMessage: (message: StreamMessage) => void;
  readonly end: (reason: string) => void;
}

/** What the servers of a stream keep, in memory: several nodes share it. */
export class SharedMessages {
  readonly log = Buffer.from('0123456789abcdef', 'hex');
  readonly messages: StreamMessage[] = [];
  readonly #readers = new Set<Reader>();
  /** The oldest that is still there. */
  first = 1;
  time = 1_700_000_000_000;

  append(bytes: Uint8Array): void {
    this.messages.push({ sequence: this.messages.length + 1, time: this.time++, bytes: Uint8Array.from(bytes) });
    for (const reader of this.#readers) this.#deliver(reader);
  }

  read(from: number, onMessage: Reader['onMessage'], end: Reader['end']): () => void {
    const reader: Reader = { next: from, onMessage, end };
    this.#readers.add(reader);
    setImmediate(() => this.#deliver(reader));
    return () => {
      this.#readers.delete(reader);
      end('stopped');
    };
  }

  /** Every reader loses its connection, and what it would have got next. */
  interrupt(): void {
    for (const { end } of this.#readers) end('interrupted');
    this.#readers.clear();
  }

  #deliver(reader: Reader): void {
    while (this.#readers.has(reader) && reader.next <= this.messages.length) {
      reader.onMessage(this.messages[reader.next++ - 1] as StreamMessage);
    }
  }
}

/** One node's way to them, which fails as it is told. */
export class FaultyStream implements MessageStream {
  readonly log: Uint8Array;
  readonly messageBytesMax = 200_000;
  readonly #shared: SharedMessages;
  /** What becomes of the next messages of this node. */
  fate: () => Fate = () => 'kept';
  isReachable = true;
  published = 0;

  constructor(shared: SharedMessages) {
    this.#shared = shared;
    this.log = shared.log;
  }

  async publish(bytes: Uint8Array): Promise<void> {
    this.published++;
    // what is sent while the stream is out of reach does not arrive later
    const fate = this.isReachable ? this.fate() : 'lost';
    await turn();
    if (fate !== 'lost') this.#shared.append(bytes);
    if (fate === 'doubled') this.#shared.append(bytes);
    if (fate === 'lost' || fate === 'unacknowledged') throw new Error('no answer');
  }

  async ends(): Promise<StreamEnds> {
    await turn();
    if (!this.isReachable) throw Object.assign(new Error('no answer'), { code: 'unavailable' });
    return { first: this.#shared.first, last: this.#shared.messages.length };
  }

  async message(sequence: number): Promise<Uint8Array | undefined> {
    await turn();
    return sequence < this.#shared.first ? undefined : this.#shared.messages[sequence - 1]?.bytes;
  }

  async read(from: number, onMessage: (message: StreamMessage) => void): Promise<Reading> {
    await turn();
    let end: (reason: string) => void = () => {};
    const ended = new Promise<string>((resolve) => {
      end = resolve;
    });
    return { ended, stop: this.#shared.read(from, onMessage, end) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
