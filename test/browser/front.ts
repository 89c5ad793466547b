import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a service at an address that was known before the service was: browsers want `localhost` for some things. */
export class Front {
  target = '';
  readonly #server: Server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const passedOn = request(new URL(url, this.target), { method: method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passedOn);
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve()));
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
