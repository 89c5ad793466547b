import { setTimeout as sleep } from 'node:timers/promises';
import type { Reading, SideStream } from '../message-stream.ts';
import type { StreamMessage } from '../replay.ts';

const KEPT_BYTES_MAX = 32 * 2 ** 20;
/** How long a message that is on its way is waited for, before it is asked for. */
const WAIT_MS = 100;

/**
 * Reads a stream ahead of the log's references to it, which come in another order. It promises nothing: whoever takes a
 * message that has not come asks for it.
 */
export class ReadAhead {
  readonly #stream: Pick<SideStream, 'read'>;
  readonly #kept = new Map<number, Uint8Array>();
  #bytes = 0;
  #reading: Promise<Reading | undefined> | undefined;
  /** Changes with each reading. */
  #run = 0;
  #next = 0;
  #waiting: { readonly sequence: number; readonly resolve: () => void } | undefined;
  #isStopped = false;

  constructor(stream: Pick<SideStream, 'read'>) {
    this.#stream = stream;
  }

  /** A message, once: undefined where it has not come. One call at a time. */
  async take(sequence: number): Promise<Uint8Array | undefined> {
    if (!this.#kept.has(sequence)) {
      if (this.#reading === undefined) this.#readFrom(sequence);
      else if (sequence < this.#next) return undefined;
      await this.#comes(sequence);
    }
    const bytes = this.#kept.get(sequence);
    this.#kept.delete(sequence);
    this.#bytes -= bytes?.length ?? 0;
    return bytes;
  }

  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  async #comes(sequence: number): Promise<void> {
    const came = new Promise<void>((resolve) => {
      this.#waiting = { sequence, resolve };
    });
    await Promise.race([came, sleep(WAIT_MS, undefined, { ref: false })]);
    this.#waiting = undefined;
  }

  #readFrom(sequence: number): void {
    this.#end();
    if (this.#isStopped) return;
    const run = ++this.#run;
    this.#next = sequence;
    this.#reading = this.#stream
      .read(sequence, (message) => {
        if (run === this.#run) this.#came(message);
      })
      .catch(() => undefined); // the stream does not answer: then messages are asked for
    void this.#reading.then(async (reading) => {
      await reading?.ended;
      if (run === this.#run) this.#stopReading();
    });
  }

  #came({ sequence, bytes }: StreamMessage): void {
    this.#next = sequence + 1;
    this.#kept.set(sequence, bytes);
    this.#bytes += bytes.length;
    if (this.#waiting?.sequence === sequence) this.#waiting.resolve();
    // what was never referred to is let go too: it is read again from the next one that is wanted
    if (this.#bytes > KEPT_BYTES_MAX) this.#stopReading();
  }

  #stopReading(): void {
    const reading = this.#reading;
    this.#reading = undefined;
    this.#run++;
    void reading?.then((each) => each?.stop());
  }

  #end(): void {
    this.#stopReading();
    this.#kept.clear();
    this.#bytes = 0;
  }
}
