import type { Background, Repetition } from '../../platform/index.ts';

/** A request whose body is still coming in. */
export interface Waiting {
  expire(): void;
}

const sweepMs = 250;

/**
 * Ends requests whose body takes too long. Nearly every body is there in the same turn as its head, so `expect` only
 * notes the newest request, and one timer looks after what remains: a timer or a map entry for each request would be
 * made and thrown away at once. A deadline may pass by up to two sweeps.
 */
export class BodyDeadlines {
  readonly #timeoutMs: number;
  readonly #waiting = new Map<Waiting, number>();
  readonly #background: Background;
  readonly #repetition: Repetition;
  #newest: Waiting | undefined;

  constructor(timeoutMs: number, background: Background) {
    this.#timeoutMs = timeoutMs;
    this.#background = background;
    this.#repetition = background.every('connections', Math.min(sweepMs, timeoutMs), () => this.#sweep());
  }

  get size(): number {
    return this.#waiting.size + (this.#newest === undefined ? 0 : 1);
  }

  expect(request: Waiting): void {
    this.#settleNewest();
    this.#newest = request;
  }

  /** The body is complete, or the request is over. */
  done(request: Waiting): void {
    if (this.#newest === request) this.#newest = undefined;
    else this.#waiting.delete(request);
  }

  stop(): void {
    void this.#repetition.stop();
  }

  #settleNewest(): void {
    if (this.#newest !== undefined) this.#waiting.set(this.#newest, performance.now() + this.#timeoutMs);
    this.#newest = undefined;
  }

  #sweep(): void {
    this.#settleNewest();
    const now = performance.now();
    for (const [request, deadline] of this.#waiting) {
      // in order of arrival, and so of deadline
      if (deadline > now) return;
      this.#waiting.delete(request);
      void this.#background.run('connections', () => request.expire());
    }
  }
}
