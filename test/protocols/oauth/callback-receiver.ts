import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came in: a browser at the redirect URI, or the provider with a notice. */
export interface Received {
  readonly method: string;
  readonly path: string;
  /** The address in full, as client libraries read it. */
  readonly url: URL;
  /** A posted form. */
  readonly fields: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

const BODY_BYTES_MAX = 64 * 1024;
const WAIT_MS = 30_000;

/** An application's own server on the loopback: it takes redirects and notices, and serves the pages that a test gives it. */
export class CallbackReceiver {
  readonly received: Received[] = [];
  readonly pages = new Map<string, string>();
  /** What POST requests are answered with, as for a notice that must be sent again. */
  answersPosts = 200;
  readonly #host: string;
  readonly #server: Server;
  #heard: (() => void)[] = [];

  private constructor(host: string) {
    this.#host = host;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** @param host how it is called: `localhost` is of one site with a provider that is called so */
  static async open(host: '127.0.0.1' | 'localhost' = '127.0.0.1'): Promise<CallbackReceiver> {
    const receiver = new CallbackReceiver(host);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://${this.#host}:${(this.#server.address() as AddressInfo).port}`;
  }

  get redirectUri(): string {
    return `${this.url}/callback`;
  }

  /** The first request to the path that nobody has taken yet, or the next one. */
  async take(path: string): Promise<Received> {
    const until = Date.now() + WAIT_MS;
    for (;;) {
      const at = this.received.findIndex((each) => each.path === path);
      const [found] = at < 0 ? [] : this.received.splice(at, 1);
      if (found !== undefined) return found;
      if (Date.now() > until) throw new Error(`nothing came to ${path}`);
      await this.#next(until - Date.now());
    }
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #next(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#heard.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_BYTES_MAX) return void response.writeHead(413).end();
      chunks.push(chunk);
    }
    const url = new URL(request.url ?? '/', this.url);
    const { method = 'GET', headers } = request;
    const fields = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    const page =
      this.pages.get(url.pathname) ?? '<!doctype html><title>Application</title><h1>Back at the application</h1>';
    response.writeHead(method === 'POST' ? this.answersPosts : 200, { 'content-type': 'text/html' }).end(page);
    if (url.pathname === '/favicon.ico') return;
    this.received.push({ method, path: url.pathname, url, fields, headers });
    for (const hear of this.#heard.splice(0)) hear();
  }
}
