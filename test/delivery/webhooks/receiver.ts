import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether the client has shown a certificate that the receiver trusts. */
  readonly isKnown: boolean;
}

type Answer = (received: Received, response: ServerResponse) => void;

/** A server that keeps what it is sent, and answers as it is told: 204 where nothing is said. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = (_, response) => response.writeHead(204).end();
  readonly #server: ReturnType<typeof createServer>;
  readonly #scheme: string;

  private constructor(secure?: ServerOptions) {
    const handle = (request: IncomingMessage, response: ServerResponse) => this.#take(request, response);
    this.#server = secure === undefined ? createServer(handle) : createSecureServer(secure, handle);
    this.#scheme = secure === undefined ? 'http' : 'https';
  }

  /** @param secure its certificate, where it speaks TLS */
  static async open(secure?: ServerOptions): Promise<Receiver> {
    const receiver = new Receiver(secure);
    await once(receiver.#server.listen(0, 'localhost'), 'listening');
    return receiver;
  }

  get url(): string {
    return `${this.#scheme}://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers, socket } = request;
    const isKnown = 'authorized' in socket && socket.authorized === true;
    const received = { method, path: url, headers, body: await text(request), isKnown };
    this.received.push(received);
    this.answer(received, response);
  }
}
