import type { MessagePort } from 'node:worker_threads';
import { EngineError } from '#engine';
import {
  type ErrorData,
  errorOf,
  type HeavyAnswer,
  type HeavyRequest,
  type HeavyRunner,
} from '../../kernel/queries/index.ts';
import type { Background } from '../../platform/index.ts';

export interface HeavyCall {
  readonly number: number;
  readonly request: HeavyRequest;
}

export type HeavyReturn =
  | { readonly number: number; readonly answer: HeavyAnswer }
  | { readonly number: number; readonly failure: ErrorData };

interface Waiting {
  readonly resolve: (answer: HeavyAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The pool as an acceptor sees it: through the main thread, which owns it. */
export class HeavyPort implements HeavyRunner {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor(port: MessagePort, background: Background) {
    this.#port = port;
    port.on(
      'message',
      background.guarded('heavy_queries', (message: HeavyReturn) => this.#returned(message)),
    );
    port.on('close', () => this.#lost());
    port.unref();
  }

  run(request: HeavyRequest): Promise<HeavyAnswer> {
    return new Promise((resolve, reject) => {
      const number = this.#next++;
      this.#waiting.set(number, { resolve, reject });
      const call: HeavyCall = { number, request };
      this.#port.postMessage(call);
    });
  }

  #returned(message: HeavyReturn): void {
    const waiting = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    if ('answer' in message) waiting?.resolve(message.answer);
    else waiting?.reject(errorOf(message.failure));
  }

  #lost(): void {
    for (const { reject } of this.#waiting.values()) reject(new EngineError('unavailable', 'the pool has stopped'));
    this.#waiting.clear();
  }
}
