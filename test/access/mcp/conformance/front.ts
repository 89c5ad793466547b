import { once } from 'node:events';
import { createServer, request as requestHttp, type Server } from 'node:http';
import { nextPort } from '../../../server/next-port.ts';
import { type Organization, RunningService } from '../../../server/running-service.ts';

/** A service behind a reverse proxy, which adds the credential that the suite has no parameter for. */
export class Front {
  readonly service: RunningService;
  readonly url: string;
  readonly #server: Server;
  readonly #credentials: Map<string, string>;

  private constructor(service: RunningService, url: string, server: Server, credentials: Map<string, string>) {
    this.service = service;
    this.url = url;
    this.#server = server;
    this.#credentials = credentials;
  }

  static async open(): Promise<Front> {
    const [behind, front] = [await nextPort(), await nextPort()];
    const url = `http://127.0.0.1:${front}`;
    const credentials = new Map<string, string>();
    const server = createServer((request, response) => {
      const { method, url: path = '/', headers } = request;
      const key = credentials.get(path);
      const added = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const passed = requestHttp(
        { host: '127.0.0.1', port: behind, method, path, headers: { ...headers, ...added }, agent: false },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      request.pipe(passed);
    });
    server.listen(front, '127.0.0.1');
    await once(server, 'listening');
    const service = await RunningService.start({
      RELATA_PORT: String(behind),
      RELATA_BASE_URL: url,
      RELATA_ALLOW_PRIVATE_URLS: '1',
      RELATA_LIMIT_RATE_REFUSED: '0',
    });
    return new Front(service, url, server, credentials);
  }

  /** Where the organization speaks the Model Context Protocol to whoever comes. */
  mcp({ slug, key }: Organization): string {
    const path = `/t/${slug}/api/v1/mcp`;
    this.#credentials.set(path, key);
    return this.url + path;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.service.remove();
  }
}
