import type { Background } from '../../../platform/index.ts';
import { BodyDeadlines } from '../body-deadlines.ts';
import { drainingController, HeldRequests, quickTurn, untilQuiet } from '../draining.ts';
import type { Listener, TransportLimits } from '../transport.ts';
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

/** The state that all exchanges of one listening socket share. Once it is closed it may listen again. */
export class UwsServer {
  readonly listener: Listener;
  readonly background: Background;
  deadlines: BodyDeadlines;
  /** Exchanges whose answer is not complete. */
  readonly active = new Set<UwsExchange>();
  draining = drainingController();
  readonly held = new HeldRequests();
  closing = false;

  /** How many requests have begun. */
  #begun = 0;
  readonly #pool: UwsExchange[] = [];
  readonly #uws: UwsBinding;
  readonly #limits: TransportLimits;
  readonly #app: UwsApp;
  #socket: us_listen_socket | undefined;

  constructor(uws: UwsBinding, limits: TransportLimits, listener: Listener, background: Background) {
    this.#uws = uws;
    this.#limits = limits;
    this.listener = listener;
    this.background = background;
    this.deadlines = new BodyDeadlines(limits.bodyTimeoutMs, background);
    this.#app = uws.App();
    // a route for each method, because asking the request for its method costs another native call
    for (const [route, method] of methods) this.#app[route]('/*', (res, req) => this.#begin(method, res, req));
    this.#app.any('/*', (res, req) => this.#begin(req.getCaseSensitiveMethod(), res, req));
  }

  /** @returns the port, or `undefined` where the address cannot be bound */
  listen(host: string, port: number): number | undefined {
    // answers in the same turn
    this.#app.listen(host, port, (socket) => {
      this.#socket = socket === false ? undefined : socket;
    });
    if (this.#socket === undefined) return undefined;
    if (this.closing) {
      this.closing = false;
      this.draining = drainingController();
      this.deadlines = new BodyDeadlines(this.#limits.bodyTimeoutMs, this.background);
    }
    process.off('exit', this.close);
    process.once('exit', this.close);
    return this.#uws.us_socket_local_port(this.#socket);
  }

  #begin(method: string, res: HttpResponse, req: HttpRequest): void {
    this.#begun++;
    const exchange = this.#pool.pop() ?? new UwsExchange(this);
    exchange.begin(method, res, req);
  }

  release(exchange: UwsExchange): void {
    if (this.#pool.length < poolMax) this.#pool.push(exchange);
  }

  /** Exchanges and bodies that are under way. */
  get inFlight(): number {
    return this.active.size + this.deadlines.size;
  }

  /** Takes no new connection from now on. What is under way goes on: `draining` is not aborted. */
  async retire(): Promise<void> {
    this.closing = true;
    const socket = this.#socket;
    await quickTurn();
    // it may have been closed and listen again
    if (this.#socket === socket) this.stopListening();
  }

  /** Takes no new connection until it listens again. */
  stopListening(): void {
    if (this.#socket !== undefined) this.#uws.us_listen_socket_close(this.#socket);
    this.#socket = undefined;
  }

  async drain(timeoutMs: number): Promise<number> {
    const end = performance.now() + timeoutMs;
    this.closing = true;
    this.draining.abort();
    this.held.begin();
    await quickTurn();
    this.stopListening();
    this.held.end();
    await untilQuiet(
      end,
      () => this.inFlight,
      () => this.#begun,
    );
    const cutOff = this.inFlight;
    this.close();
    return cutOff;
  }

  /**
   * Node.js aborts the whole process when a thread ends while its native sockets are open. This covers a thread that
   * ends by itself; before `terminate` or the end of the main thread, the server must have been closed.
   */
  readonly close = (): void => {
    process.off('exit', this.close);
    this.closing = true;
    this.stopListening();
    this.deadlines.stop();
    for (const exchange of [...this.active]) exchange.cut();
    this.#app.close();
  };
}
