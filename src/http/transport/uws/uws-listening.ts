import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Background, Repetition } from '../../../platform/index.ts';
import type { ListenAddress, Listening } from '../transport.ts';
import type { UwsServer } from './uws-server.ts';

/** Most servers that no longer listen and still answer requests or send streams. */
const RETIRED_MAX = 4;
/** How long nobody is let in after there was no room. */
const PAUSE_MS = 1_000;
const LOOK_MS = 100;
/** Closed to free files for the store and for the listening socket when no file can be opened. */
const SPARES = 8;

/**
 * Servers that listen in turn. This version of uWebSockets.js does not report a connection before its first request, and
 * can close either one connection with a request or all connections of a server. So room is made by server:
 *
 * - One without a request is closed and replaced at once.
 * - One with requests or streams is retired: it stops listening and is closed when they have ended. uWebSockets.js ends
 *   its silent connections after 10 s. Meanwhile nobody is let in, for a second or until there is room.
 */
export class UwsListening implements Listening {
  readonly #make: () => UwsServer;
  readonly #background: Background;
  #host = '';
  #port = 0;
  #current: UwsServer;
  readonly #retired = new Set<UwsServer>();
  /** Closed servers, to be used again. */
  readonly #closed: UwsServer[] = [];
  /** When to listen again, of `performance.now()`. */
  #pausedUntil: number | undefined;
  #isMakingRoom = false;
  #isClosing = false;
  readonly #spares: number[] = [];
  #looks: Repetition | undefined;

  constructor(make: () => UwsServer, background: Background) {
    this.#make = make;
    this.#background = background;
    this.#current = make();
  }

  get port(): number {
    return this.#port;
  }

  async listen({ host, port }: ListenAddress): Promise<Listening> {
    const bound = this.#current.listen(host, port);
    if (bound === undefined) {
      await this.close();
      throw new Error(`cannot listen on ${host}, port ${port}: the address is in use or not available`);
    }
    this.#host = host;
    this.#port = bound;
    this.#takeSpares();
    this.#looks = this.#background.every('connections', LOOK_MS, () => this.#look());
    return this;
  }

  async makeRoom(): Promise<void> {
    if (this.#isClosing || this.#isMakingRoom) return;
    this.#isMakingRoom = true;
    try {
      this.#closeEnded();
      if (this.#pausedUntil !== undefined || this.#current.inFlight > 0) this.#pause();
      else await this.#replace();
    } finally {
      this.#isMakingRoom = false;
    }
  }

  async drain(timeoutMs: number): Promise<number> {
    this.#beginClose();
    const servers = [this.#current, ...this.#retired];
    const cutOff = await Promise.all(servers.map((server) => server.drain(timeoutMs)));
    return cutOff.reduce((sum, each) => sum + each, 0);
  }

  async close(): Promise<void> {
    this.#beginClose();
    for (const server of [this.#current, ...this.#retired]) server.close();
  }

  #beginClose(): void {
    this.#isClosing = true;
    this.#pausedUntil = undefined;
    void this.#looks?.stop();
    this.#dropSpares();
  }

  /** The new server listens first, so that nobody is refused in between. */
  async #replace(): Promise<void> {
    const old = this.#current;
    const next = this.#closed.pop() ?? this.#make();
    this.#dropSpares();
    if (next.listen(this.#host, this.#port) === undefined) {
      this.#closed.push(next);
      this.#pause();
      return;
    }
    this.#current = next;
    this.#retired.add(old);
    await old.retire();
    if (this.#isClosing) return;
    this.#closeEnded();
    this.#takeSpares();
  }

  #pause(): void {
    this.#pausedUntil = performance.now() + PAUSE_MS;
    if (this.#current.inFlight > 0 && this.#retired.size < RETIRED_MAX) {
      void this.#current.retire();
      this.#retired.add(this.#current);
      this.#current = this.#closed.pop() ?? this.#make();
    }
    this.#current.stopListening();
    this.#dropSpares();
  }

  #look(): void {
    if (this.#isMakingRoom || this.#isClosing) return;
    this.#closeEnded();
    if (this.#pausedUntil === undefined || performance.now() < this.#pausedUntil) return;
    // it is tried again later where no file can be opened
    if (this.#current.listen(this.#host, this.#port) === undefined) return;
    this.#pausedUntil = undefined;
    this.#takeSpares();
  }

  #closeEnded(): void {
    for (const server of this.#retired) {
      if (server.inFlight > 0) continue;
      server.close();
      this.#retired.delete(server);
      this.#closed.push(server);
    }
  }

  #takeSpares(): void {
    try {
      while (this.#spares.length < SPARES) this.#spares.push(openSync(devNull, 'r'));
    } catch {
      // the next time
    }
  }

  #dropSpares(): void {
    for (const spare of this.#spares.splice(0)) closeSync(spare);
  }
}
