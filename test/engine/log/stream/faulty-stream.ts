import type { MessageStream, Reading, SideStream, StreamEnds } from '../../../../engine/log/stream/message-stream.ts';
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
  readonly #beside = new Map<number, SharedMessages>();
  /** The oldest that is still there. */
  first = 1;
  time = 1_700_000_000_000;

  append(bytes: Uint8Array): void {
    this.messages.push({ sequence: this.messages.length + 1, time: this.time++, bytes: Uint8Array.from(bytes) });
    for (const reader of this.#readers) this.#deliver(reader);
  }

  /** A stream beside this one. */
  beside(number: number): SharedMessages {
    const known = this.#beside.get(number) ?? new SharedMessages();
    this.#beside.set(number, known);
    return known;
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

/** One node's way to the messages of one stream, which fails as it is told. */
class FaultyWay {
  readonly #shared: SharedMessages;
  /** What becomes of the next messages of this node. */
  fate: () => Fate = () => 'kept';
  isReachable = true;
  published = 0;

  constructor(shared: SharedMessages) {
    this.#shared = shared;
  }

  /** Answers the sequence of the message. */
  protected async send(bytes: Uint8Array): Promise<number> {
    this.published++;
    // what is sent while the stream is out of reach does not arrive later
    const fate = this.isReachable ? this.fate() : 'lost';
    await turn();
    if (fate !== 'lost') this.#shared.append(bytes);
    if (fate === 'doubled') this.#shared.append(bytes);
    const last = this.#shared.messages.length;
    if (fate === 'lost' || fate === 'unacknowledged') throw new Error('no answer');
    return last;
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
}

export class FaultyStream extends FaultyWay implements MessageStream {
  readonly log: Uint8Array;
  readonly messageBytesMax = 200_000;
  readonly #shared: SharedMessages;
  readonly #beside = new Map<number, FaultySideStream>();

  constructor(shared: SharedMessages) {
    super(shared);
    this.#shared = shared;
    this.log = shared.log;
  }

  async publish(bytes: Uint8Array): Promise<void> {
    await this.send(bytes);
  }

  beside(number: number): FaultySideStream {
    const known = this.#beside.get(number) ?? new FaultySideStream(this.#shared.beside(number));
    this.#beside.set(number, known);
    return known;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class FaultySideStream extends FaultyWay implements SideStream {
  publish(bytes: Uint8Array): Promise<number> {
    return this.send(bytes);
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
