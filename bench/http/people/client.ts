import { Agent, get } from 'node:http';

export interface TimedAnswer {
  readonly millis: number;
  readonly status: number;
  readonly text: string;
}

/** One client that asks again when it has the answer, always over the same connection. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(base: string, headers: Readonly<Record<string, string>>) {
    this.#base = base;
    this.#headers = headers;
  }

  /** The time runs until the last byte of the answer is there. */
  ask(path: string): Promise<TimedAnswer> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const request = get(`${this.#base}${path}`, { agent: this.#agent, headers: this.#headers }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const millis = performance.now() - startedAt;
          resolve({ millis, status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
        });
      });
      request.on('error', reject);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
