import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes webhooks on this machine, and notes how long each was on its way. */
export class BenchReceiver {
  /** Milliseconds from an event to its arrival. */
  readonly delays: number[] = [];
  firstAt = 0;
  lastAt = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, answer) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/hangs') return;
        this.#note(Buffer.concat(chunks).toString());
        answer.writeHead(204).end();
      });
    });
  }

  static async start(): Promise<BenchReceiver> {
    const receiver = new BenchReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Forgets what came. */
  clear(): void {
    this.delays.length = 0;
    this.firstAt = this.lastAt = 0;
  }

  /** Resolves when so many have come. */
  async arrived(count: number, withinMs = 300_000): Promise<void> {
    const end = performance.now() + withinMs;
    while (this.delays.length < count) {
      if (performance.now() > end) throw new Error(`${this.delays.length} of ${count} deliveries arrived`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #note(body: string): void {
    const { timestamp } = JSON.parse(body) as { timestamp: string };
    this.delays.push(Date.now() - Date.parse(timestamp));
    this.lastAt = performance.now();
    if (this.firstAt === 0) this.firstAt = this.lastAt;
  }
}
