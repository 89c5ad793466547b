import type { Log } from '../../platform/index.ts';
import type { Problem } from '../problems/problem.ts';
import type { IncomingRequest } from '../transport/transport.ts';

/** Between two lines about requests that cannot be answered now. */
const QUIET_MS = 1000;

/**
 * Tells of requests that failed. A failure of the service itself has a line with its stack. Where nothing can be written
 * for a while, many requests fail for one reason that is known: they have a line a second, without a stack.
 */
export class RequestFailures {
  readonly #log: Log;
  readonly #now: () => number;
  #quietUntil = Number.NEGATIVE_INFINITY;
  #untold = 0;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** @param known what the caller is told, where that is known */
  failed({ id, method, path }: Pick<IncomingRequest, 'id' | 'method' | 'path'>, error: unknown, known?: Problem): void {
    const fields = { request_id: id, method, path };
    if (known?.kind.status !== 503) this.#log.error({ ...fields, error }, 'a request failed');
    else if (this.#now() < this.#quietUntil) this.#untold++;
    else {
      const reason = error instanceof Error ? error.message : String(error);
      const others = this.#untold === 0 ? {} : { others_before: this.#untold };
      this.#log.warn({ ...fields, reason, ...others }, 'a request cannot be answered now');
      this.#quietUntil = this.#now() + QUIET_MS;
      this.#untold = 0;
    }
  }
}
