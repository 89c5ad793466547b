import { OutboundError } from './outbound.ts';

export interface OutboundLimits {
  /** Connections that are in use, for each host and port, and in all. */
  readonly perHost: number;
  readonly total: number;
  /** Requests that wait for one. */
  readonly waiting: number;
  /** How long a connection is kept without a request, in milliseconds. */
  readonly idleMs: number;
}

interface Host {
  held: number;
  readonly waiting: (() => void)[];
}

/**
 * Who may have a connection now: so many for each host, and so many in all. Hosts that wait for the latter take turns, so
 * that one with many requests, or one that hangs, keeps no other waiting.
 */
export class ConnectionSlots {
  readonly #limits: OutboundLimits;
  readonly #hosts = new Map<string, Host>();
  /** Hosts with somebody who waits for one of all alone; the one that is next comes first. */
  readonly #ready = new Set<string>();
  #held = 0;
  #waiting = 0;

  constructor(limits: OutboundLimits) {
    this.#limits = limits;
  }

  /** Resolves when there is one; it is to be given back by `release`. @throws OutboundError `busy` */
  async take(name: string): Promise<void> {
    const host = this.#hosts.get(name) ?? { held: 0, waiting: [] };
    if (host.held < this.#limits.perHost && this.#held < this.#limits.total) {
      this.#hosts.set(name, host);
      this.#give(host);
      return;
    }
    if (this.#waiting >= this.#limits.waiting)
      throw new OutboundError('busy', 'too many requests wait for a connection');
    this.#hosts.set(name, host);
    this.#waiting += 1;
    await new Promise<void>((resolve) => {
      host.waiting.push(resolve);
      if (host.held < this.#limits.perHost) this.#ready.add(name);
    });
  }

  release(name: string): void {
    const host = this.#hosts.get(name);
    if (host === undefined) return;
    host.held -= 1;
    this.#held -= 1;
    if (host.waiting.length > 0) this.#ready.add(name);
    else if (host.held === 0) this.#hosts.delete(name);
    for (const next of this.#ready) {
      if (this.#held >= this.#limits.total) return;
      this.#serve(next);
    }
  }

  #serve(name: string): void {
    this.#ready.delete(name);
    const host = this.#hosts.get(name);
    const resolve = host?.waiting.shift();
    if (host === undefined || resolve === undefined) return;
    this.#waiting -= 1;
    this.#give(host);
    resolve();
    if (host.waiting.length > 0 && host.held < this.#limits.perHost) this.#ready.add(name);
  }

  #give(host: Host): void {
    host.held += 1;
    this.#held += 1;
  }
}
