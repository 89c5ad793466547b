import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as its receiver saw it. */
export interface Received {
  readonly id: string;
  readonly path: string;
  readonly body: string;
  readonly at: number;
}

export type Behaviour = (request: http.IncomingMessage, answer: http.ServerResponse) => void;

export const accepts: Behaviour = (_, answer) => void answer.writeHead(204).end();

/** A receiver of webhooks on this machine. */
export class Receiver {
  readonly received: Received[] = [];
  /** What it does with a delivery, by path; without an entry it accepts. */
  readonly behaviours = new Map<string, Behaviour>();
  readonly #server: http.Server;

  private constructor() {
    this.#server = http.createServer((request, answer) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const id = String(request.headers['webhook-id'] ?? '');
        this.received.push({ id, path, body: Buffer.concat(chunks).toString(), at: performance.now() });
        (this.behaviours.get(path) ?? accepts)(request, answer);
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** What came to a path, in the order in which it came. */
  at(path: string): Received[] {
    return this.received.filter((each) => each.path === path);
  }

  /** Ids of deliveries in the order in which each first came. */
  firsts(path: string): string[] {
    return [...new Set(this.at(path).map(({ id }) => id))];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export async function until(what: () => boolean, withinMs = 20_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!what()) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
