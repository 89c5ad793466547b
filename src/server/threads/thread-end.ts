import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** To a thread that is to end when it has written down what it remembers. */
export interface CloseRequest {
  readonly kind: 'close';
}

/** It has. */
export interface ClosedReply {
  readonly kind: 'closed';
}

/** Resolves when a thread has ended, with the reason. */
export function endOf(worker: Worker): Promise<Error> {
  return new Promise((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', (code) => resolve(new Error(`it ended with code ${code}`)));
  });
}

/** Asks a thread to end, and ends it at the latest after `withinMs`. */
export async function closeThread(worker: Worker, ended: Promise<Error>, withinMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    worker.on('message', ({ kind }: ClosedReply) => {
      if (kind === 'closed') resolve();
    });
  });
  const request: CloseRequest = { kind: 'close' };
  worker.postMessage(request);
  await Promise.race([closed, ended, sleep(withinMs, undefined, { ref: false })]);
  await worker.terminate();
}
