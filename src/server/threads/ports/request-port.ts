import type { MessagePort } from 'node:worker_threads';
import { EngineError } from '#engine';
import { type ErrorData, errorData, errorOf } from '../../../kernel/queries/index.ts';
import type { Background } from '../../../platform/index.ts';

interface PortCall<Request> {
  readonly number: number;
  readonly request: Request;
}

type PortReturn<Answer> =
  | { readonly number: number; readonly answer: Answer }
  | { readonly number: number; readonly failure: ErrorData };

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** What another thread answers, as those see it who ask through a port. */
export class RequestPort<Request, Answer> {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #isClosed = false;
  #next = 0;

  /** @param job its name in logs and metrics */
  constructor(port: MessagePort, background: Background, job: string) {
    this.#port = port;
    port.on(
      'message',
      background.guarded(job, (message: PortReturn<Answer>) => this.#returned(message)),
    );
    port.on('close', () => this.#lost());
    port.unref();
  }

  /** @throws what it failed with there; EngineError `unavailable` where the thread has ended */
  run(request: Request): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(ended());
    return new Promise((resolve, reject) => {
      const number = this.#next++;
      this.#waiting.set(number, { resolve, reject });
      const call: PortCall<Request> = { number, request };
      this.#port.postMessage(call);
    });
  }

  #returned(message: PortReturn<Answer>): void {
    const waiting = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    if ('answer' in message) waiting?.resolve(message.answer);
    else waiting?.reject(errorOf(message.failure));
  }

  #lost(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(ended());
    this.#waiting.clear();
  }
}

function ended(): EngineError {
  return new EngineError('unavailable', 'the thread that was asked has ended');
}

/** Answers what comes through a port. Errors cross as data, because they lose their class between threads. */
export function servePort<Request, Answer>(
  port: MessagePort,
  run: (request: Request) => Promise<Answer>,
  background: Background,
  job: string,
): void {
  const answer = async ({ number, request }: PortCall<Request>): Promise<void> => {
    let message: PortReturn<Answer>;
    try {
      message = { number, answer: await run(request) };
    } catch (error) {
      message = { number, failure: errorData(error) };
    }
    port.postMessage(message);
  };
  port.on('message', background.guarded(job, answer));
  port.unref();
}
