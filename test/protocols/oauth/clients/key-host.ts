import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody's server, which publishes the public keys of a client. */
export class KeyHost {
  keys: readonly Readonly<Record<string, unknown>>[];
  status = 200;
  asked = 0;
  /** What happens while somebody waits for the keys. */
  meanwhile: () => Promise<unknown> = async () => {};
  readonly #server: Server;

  private constructor(keys: readonly Readonly<Record<string, unknown>>[]) {
    this.keys = keys;
    this.#server = createServer(async (_, answer) => {
      this.asked++;
      await this.meanwhile();
      answer.writeHead(this.status, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ keys: this.keys }));
    });
  }

  static async open(keys: readonly Readonly<Record<string, unknown>>[]): Promise<KeyHost> {
    const host = new KeyHost(keys);
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/jwks`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
