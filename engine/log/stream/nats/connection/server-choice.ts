import type { NatsConnection, Server } from '@nats-io/transport-node';

/** How long a server may be connected and take no message. A log that has lost its leader mostly has another one sooner. */
const SILENT_MS = 4000;
/** Where no server takes a message, each is tried for twice as long as the last time, up to this. */
const SILENT_MAX_MS = 64_000;

/**
 * Leaves a server that is connected and takes no messages: it may be cut off from the other servers, or be unwell, while
 * this node reaches one that is not.
 */
export class ServerChoice {
  #silentSince: number | undefined = undefined;
  #left = '';
  /** Servers that were left since one took a message. */
  #count = 0;
  #servers = 1;

  /** For the client: which server it tries next. */
  readonly next = (servers: readonly Server[]): Server | null => {
    const left = this.#left;
    this.#left = '';
    this.#servers = Math.max(1, servers.length);
    const others = left === '' ? [] : servers.filter(({ listen }) => listen !== left);
    return others[Math.floor(Math.random() * others.length)] ?? null;
  };

  taken(): void {
    this.#silentSince = undefined;
    this.#count = 0;
  }

  /** A message that was sent at a time (of `performance.now()`) was not answered. */
  unanswered(connection: NatsConnection, sentAt: number): void {
    this.#silentSince ??= sentAt;
    if (performance.now() - this.#silentSince < this.#patienceMs) return;
    this.#silentSince = undefined;
    this.#left = connection.getServer();
    this.#count++;
    void connection.reconnect();
  }

  get #patienceMs(): number {
    return Math.min(SILENT_MAX_MS, SILENT_MS * 2 ** Math.floor(this.#count / this.#servers));
  }
}
