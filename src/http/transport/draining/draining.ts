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

/** Tells streams that the server drains. Each stream listens, so Node.js must not warn of many listeners. */
export function drainingController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
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
