import { setTimeout as sleep } from 'node:timers/promises';
import type { Background } from '../../../platform/index.ts';
import { BodyDeadlines } from '../body-deadlines.ts';
import { DRAIN } from '../draining.ts';
import { quickTurn } from '../quick-turn.ts';
import type { Listener, Listening, TransportLimits } from '../transport.ts';
import type { HttpRequest, HttpResponse, UwsApp, UwsBinding, us_listen_socket } from './uws-binding.ts';
import { UwsExchange } from './uws-exchange.ts';

/** Most exchanges that wait for reuse: a burst must not leave its memory behind. */
const poolMax = 256;

const methods = [
  ['get', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['del', 'DELETE'],
  ['head', 'HEAD'],
  ['options', 'OPTIONS'],
] as const;

/** The state that all exchanges of one listening socket share. */
export class UwsServer implements Listening {
  readonly listener: Listener;
  readonly background: Background;
  readonly deadlines: BodyDeadlines;
  /** Exchanges whose answer is not complete. */
  readonly active = new Set<UwsExchange>();
  readonly draining = new AbortController();
  closing = false;
  port = 0;

  /** When a request last began, of `performance.now()`. Kept while draining alone. */
  #movedAt = 0;
  readonly #pool: UwsExchange[] = [];
  readonly #uws: UwsBinding;
  readonly #app: UwsApp;
  #socket: us_listen_socket | undefined;

  constructor(uws: UwsBinding, limits: TransportLimits, listener: Listener, background: Background) {
    this.#uws = uws;
    this.listener = listener;
    this.background = background;
    this.deadlines = new BodyDeadlines(limits.bodyTimeoutMs, background);
    this.#app = uws.App();
    // a route for each method, because asking the request for its method costs another native call
    for (const [route, method] of methods) this.#app[route]('/*', (res, req) => this.#begin(method, res, req));
    this.#app.any('/*', (res, req) => this.#begin(req.getCaseSensitiveMethod(), res, req));
  }

  listen(host: string, port: number): Promise<Listening> {
    return new Promise((resolve, reject) => {
      this.#app.listen(host, port, (socket) => {
        if (socket === false) {
          this.deadlines.stop();
          reject(new Error(`cannot listen on ${host}, port ${port}: the address is in use or not available`));
          return;
        }
        this.#socket = socket;
        process.once('exit', this.#shut);
        this.port = this.#uws.us_socket_local_port(socket);
        resolve(this);
      });
    });
  }

  #begin(method: string, res: HttpResponse, req: HttpRequest): void {
    if (this.closing) this.#movedAt = performance.now();
    const exchange = this.#pool.pop() ?? new UwsExchange(this);
    exchange.begin(method, res, req);
  }

  release(exchange: UwsExchange): void {
    if (this.#pool.length < poolMax) this.#pool.push(exchange);
  }

  async drain(timeoutMs: number): Promise<number> {
    const end = performance.now() + timeoutMs;
    this.closing = true;
    this.draining.abort();
    await quickTurn();
    this.#stopAccepting();
    this.#movedAt = performance.now();
    const lingerMs = Math.min(DRAIN.lingerMs, timeoutMs);
    while (performance.now() < end && (this.#inFlight() > 0 || performance.now() < this.#movedAt + lingerMs)) {
      await sleep(DRAIN.pollMs);
    }
    const cutOff = this.#inFlight();
    await this.close();
    return cutOff;
  }

  async close(): Promise<void> {
    this.#shut();
  }

  /**
   * Node.js aborts the whole process when a thread ends while its native sockets are open. This covers a thread that
   * ends by itself; before `terminate` or the end of the main thread, the server must have been closed.
   */
  readonly #shut = (): void => {
    process.off('exit', this.#shut);
    this.#stopAccepting();
    this.deadlines.stop();
    for (const exchange of [...this.active]) exchange.cut();
    this.#app.close();
  };

  #inFlight(): number {
    return this.active.size + this.deadlines.size;
  }

  #stopAccepting(): void {
    this.closing = true;
    if (this.#socket !== undefined) this.#uws.us_listen_socket_close(this.#socket);
    this.#socket = undefined;
  }
}
