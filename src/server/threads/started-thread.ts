import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort, parentPort, Worker } from 'node:worker_threads';
import type { Background } from '../../platform/index.ts';

/** To a thread that is to end when it has written down what it remembers. */
interface CloseRequest {
  readonly kind: 'close';
}

/** It has. */
interface ClosedReply {
  readonly kind: 'closed';
}

/** A way to what the main thread answers, such as the query pool: for a thread that is started. */
export function portTo(answering: { serve(port: MessagePort): void }): MessagePort {
  const { port1, port2 } = new MessageChannel();
  answering.serve(port1);
  return port2;
}

export interface ThreadStart<Data> {
  readonly entry: URL;
  readonly data: Data;
  /** Those in the data, which go over to the thread. */
  readonly ports: readonly MessagePort[];
  /** Room for new objects. */
  readonly youngMegabytes: number;
}

export function startThread<Data>({ entry, data, ports, youngMegabytes }: ThreadStart<Data>): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: youngMegabytes };
  return new Worker(entry, { workerData: data, transferList: [...ports], resourceLimits });
}

/** A thread that was started and ends by `closeWhenTold`, as the main thread has it. */
export class StartedThread<Data> {
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<Error>;
  readonly #worker: Worker;

  constructor(start: ThreadStart<Data>) {
    const worker = startThread(start);
    this.#worker = worker;
    this.ended = new Promise((resolve) => {
      worker.once('error', resolve);
      worker.once('exit', (code) => resolve(new Error(`it ended with code ${code}`)));
    });
  }

  /** Asks the thread to end, and ends it at the latest after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#worker.on('message', ({ kind }: ClosedReply) => {
        if (kind === 'closed') resolve();
      });
    });
    this.#worker.postMessage({ kind: 'close' } satisfies CloseRequest);
    await Promise.race([closed, this.ended, sleep(withinMs, undefined, { ref: false })]);
    await this.terminate();
  }

  /** Ends the thread at once. What it has handed to the writer is applied. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Ends what this thread runs when the main thread asks for it, and says so. */
export function closeWhenTold(background: Background, close: () => Promise<void>): void {
  const end = async (): Promise<void> => {
    try {
      await close();
    } catch (error) {
      background.failed('drain', error);
    }
    parentPort?.postMessage({ kind: 'closed' } satisfies ClosedReply);
  };
  parentPort?.on('message', ({ kind }: CloseRequest) => {
    if (kind === 'close') void end();
  });
}
