import type { MessagePort } from 'node:worker_threads';
import { EngineError } from '#engine';
import {
  type ErrorData,
  errorOf,
  type QueryAnswer,
  type QueryPool,
  type QueryRequest,
} from '../../kernel/queries/index.ts';
import type { Background } from '../../platform/index.ts';

export interface QueryCall {
  readonly number: number;
  readonly request: QueryRequest;
}

export type QueryReturn =
  | { readonly number: number; readonly answer: QueryAnswer }
  | { readonly number: number; readonly failure: ErrorData };

interface Waiting {
  readonly resolve: (answer: QueryAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The pool as an acceptor sees it: through the main thread, which owns it. */
export class QueryPoolPort implements QueryPool {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor(port: MessagePort, background: Background) {
    this.#port = port;
    port.on(
      'message',
      background.guarded('query_pool', (message: QueryReturn) => this.#returned(message)),
    );
    port.on('close', () => this.#lost());
    port.unref();
  }

  run(request: QueryRequest): Promise<QueryAnswer> {
    return new Promise((resolve, reject) => {
      const number = this.#next++;
      this.#waiting.set(number, { resolve, reject });
      const call: QueryCall = { number, request };
      this.#port.postMessage(call);
    });
  }

  #returned(message: QueryReturn): void {
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
