import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** How every transport drains. */
export const DRAIN = {
  /**
   * For how many looks in turn there must be no request before connections are ended: a new connection is about to send
   * its first. Looks, not milliseconds: where the processor is busy, clients are as late as the looks are.
   */
  lingerLooks: 10,
  lookMs: 10,
  /** Most time for clients to see that their connection has ended. */
  farewellMs: 100,
} as const;

const SHORT = { firstMs: 0.1, growth: 0.001 };
const WAIT_MAX_MS = 5_000;

/** Tells streams that the server drains. Each stream listens, so Node.js must not warn of many listeners. */
export function drainingController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Resolves directly after a short turn of the event loop in which no connection was accepted: every connection that
 * waited when the turn began has been accepted. Closing a listening socket resets the connections in its queue, and
 * these may carry requests. A turn is short below 0.1 ms; this limit grows by 1 µs with each millisecond waited.
 *
 * Not guaranteed: a connection that the kernel takes between that turn and the close is reset. If there was no such turn
 * in five seconds, all that wait are reset.
 * @param accepted how many connections were accepted so far, where the transport knows
 */
export async function quickTurn(accepted: () => number = () => 0): Promise<void> {
  const start = performance.now();
  for (;;) {
    const before = accepted();
    const from = performance.now();
    const waitedMs = from - start;
    if (waitedMs >= WAIT_MAX_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    const isShort = performance.now() - from < SHORT.firstMs + waitedMs * SHORT.growth;
    // libuv accepts one connection in a turn
    if (isShort && accepted() === before) return;
  }
}

/**
 * Waits until nothing is in flight and nothing has moved for a while, or the time is over.
 * @param end of `performance.now()`
 * @param moves how many requests have begun or ended so far
 */
export async function untilQuiet(end: number, inFlight: () => number, moves: () => number): Promise<void> {
  let looks = 0;
  while (looks < DRAIN.lingerLooks && performance.now() < end) {
    const before = moves();
    await sleep(DRAIN.lookMs);
    looks = inFlight() > 0 || moves() !== before ? 0 : looks + 1;
  }
}

/**
 * Requests that come while the port is being closed. They are handled once it is closed: the turns before that are
 * short, and no client is answered whose next connection would come at the wrong moment.
 */
export class HeldRequests {
  #held: (() => void)[] | undefined;

  begin(): void {
    this.#held = [];
  }

  /** @returns whether it is held; `handle` runs at the end */
  hold(handle: () => void): boolean {
    this.#held?.push(handle);
    return this.#held !== undefined;
  }

  end(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const handle of held) handle();
  }
}
