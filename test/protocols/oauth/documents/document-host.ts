import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;

/** Somebody's server, which says at one address what a client is. */
export class DocumentHost {
  /** Beside `client_id`, which is the address. */
  said: Json = {
    client_name: 'Assistant',
    redirect_uris: ['https://app.example/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json', 'cache-control': 'max-age=600' };
  /** What is answered instead of the document. */
  instead: ((answer: ServerResponse) => void) | undefined;
  asked = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((_, answer) => {
      this.asked++;
      if (this.instead !== undefined) return this.instead(answer);
      answer.writeHead(200, this.headers);
      answer.end(JSON.stringify({ client_id: this.id, ...this.said }));
    });
  }

  static async open(): Promise<DocumentHost> {
    const host = new DocumentHost();
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get place(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The client. */
  get id(): string {
    return `http://${this.place}/client.json`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
