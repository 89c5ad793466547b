import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { quickTurn } from './quick-turn.ts';

/** How every transport drains. */
const DRAIN = {
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

/** What is drained: a server on sockets of Node.js. */
export interface Drained {
  readonly draining: AbortController;
  readonly held: HeldRequests;
  /** How many were accepted so far, and how many are open. */
  readonly connections: { readonly accepted: number; readonly size: number };
  /** Requests that are being answered, and those whose head has begun to come. */
  readonly inFlight: () => number;
  /** How many requests have ended so far. */
  readonly ended: () => number;
  readonly stopAccepting: () => void;
  /** Tells every client that nothing more will be answered. */
  readonly endConnections: () => void;
}

/**
 * A keep-alive connection ends with its next answer, which says so. A connection without a request for a while is ended
 * with FIN, so that the client gets no reset, whatever it has just sent.
 * @returns how many requests were cut off
 */
export async function drainConnections(timeoutMs: number, drained: Drained): Promise<number> {
  const { connections, held } = drained;
  const end = performance.now() + timeoutMs;
  drained.draining.abort();
  held.begin();
  await quickTurn(() => connections.accepted);
  drained.stopAccepting();
  held.end();
  await untilQuiet(end, drained.inFlight, drained.ended);
  const cutOff = drained.inFlight();
  drained.endConnections();
  const farewellUntil = performance.now() + DRAIN.farewellMs;
  while (cutOff === 0 && connections.size > 0 && performance.now() < farewellUntil) await sleep(DRAIN.lookMs);
  return cutOff;
}
