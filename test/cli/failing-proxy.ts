import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is answered instead; `lost` hands the request on, and then closes the connection without the answer. */
export type Failure = { readonly status: number; readonly retryAfter?: string } | 'lost' | 'held';

/** Where a proxy has the service. What is not below the root is not held against the service's own description. */
const PREFIX = '/behind';

/** Stands before a service, keeps what it hands on, and fails where a test says so. */
export class FailingProxy {
  /** Bodies of the requests that the service got, in their order. */
  readonly bodies: string[] = [];
  readonly #server: Server;
  readonly #failures: (Failure | undefined)[];

  private constructor(target: string, failures: readonly (Failure | undefined)[]) {
    this.#failures = [...failures];
    this.#server = createServer(async (request, answer) => {
      const failure = this.#failures.shift();
      const body = await bodyOf(request);
      if (failure === 'held') return;
      if (failure !== undefined && failure !== 'lost') {
        const headers = failure.retryAfter === undefined ? {} : { 'retry-after': failure.retryAfter };
        answer.writeHead(failure.status, headers).end();
        return;
      }
      this.bodies.push(body);
      const { method = 'GET', headers, url = '' } = request;
      const said = await fetch(target + url.slice(PREFIX.length), {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
        ...(method === 'GET' ? {} : { body }),
      });
      const text = await said.text();
      if (failure === 'lost') {
        answer.destroy();
        return;
      }
      answer.writeHead(said.status, { 'content-type': said.headers.get('content-type') ?? '' }).end(text);
    });
  }

  /** @param failures of the first requests, in their order */
  static async start(target: string, failures: readonly (Failure | undefined)[] = []): Promise<FailingProxy> {
    const proxy = new FailingProxy(target, failures);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${PREFIX}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
