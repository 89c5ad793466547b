import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { DRAIN } from '../draining.ts';
import type { ListenAddress, Listening } from '../transport.ts';
import type { UwsServer } from './uws-server.ts';

/** How long requests have to end when their connection is closed to make room. */
const retireMs = 2_000;

/**
 * Two servers that listen in turn. This version of uWebSockets.js does not report a connection before its first
 * request, and can close either one connection with a request or all connections of a server. So the only way to make
 * room is to replace the server that has too many.
 */
export class UwsListening implements Listening {
  readonly #host: string;
  #port = 0;
  #current: UwsServer;
  #other: UwsServer;
  /** Until the server before has ended. */
  #retiring: Promise<number> | undefined;
  #isClosing = false;
  /** Closed to free a file for the listening socket when no file can be opened. */
  #spare: number | undefined;

  constructor(servers: readonly [UwsServer, UwsServer], host: string) {
    [this.#current, this.#other] = servers;
    this.#host = host;
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
    this.#port = bound;
    this.#spare = openSync(devNull, 'r');
    return this;
  }

  async makeRoom(): Promise<number> {
    if (this.#retiring !== undefined || this.#isClosing) return 0;
    const [old, next] = [this.#current, this.#other];
    this.#dropSpare();
    if (next.listen(this.#host, this.#port) === undefined) return 0;
    [this.#current, this.#other] = [next, old];
    this.#retiring = old.drain(retireMs, 0);
    try {
      const cutOff = await this.#retiring;
      this.#spare ??= openSync(devNull, 'r');
      return cutOff;
    } finally {
      this.#retiring = undefined;
    }
  }

  async drain(timeoutMs: number): Promise<number> {
    this.#isClosing = true;
    const lingerMs = Math.min(DRAIN.lingerMs, timeoutMs);
    const [cutOff, cutOffBefore = 0] = await Promise.all([this.#current.drain(timeoutMs, lingerMs), this.#retiring]);
    this.#dropSpare();
    return cutOff + cutOffBefore;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#dropSpare();
    for (const server of [this.#current, this.#other]) server.close();
  }

  #dropSpare(): void {
    if (this.#spare !== undefined) closeSync(this.#spare);
    this.#spare = undefined;
  }
}
