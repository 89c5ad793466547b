import { ConnectionSlots, type OutboundLimits } from './connection-slots.ts';
import { exchange, type OutboundAnswer, type OutboundRequest, StaleConnection } from './exchange.ts';
import { type KeptAgents, keptAgents } from './kept-agents.ts';
import { OutboundError, type OutboundGuard } from './outbound.ts';

/**
 * One request to a URL that a tenant chose: to a checked address, on a connection of its own, without following
 * redirects, and bounded in time and size.
 * @throws OutboundError
 */
export function outboundRequest(guard: OutboundGuard, request: OutboundRequest): Promise<OutboundAnswer> {
  return exchange(guard, request, false);
}

const limitsByDefault: OutboundLimits = { perHost: 64, total: 1024, waiting: 10_000, idleMs: 30_000 };

/**
 * Requests as `outboundRequest` makes them, on connections that are kept: for what is sent often to the same hosts. A
 * kept connection may be closed by its host while the next request is on its way. Such a request is made once more, on
 * a new connection, so that it may arrive twice: what is sent here has an id by which the receiver knows it.
 */
export class OutboundClient {
  readonly #guard: OutboundGuard;
  readonly #slots: ConnectionSlots;
  readonly #agents: KeptAgents;

  constructor(guard: OutboundGuard, limits: Partial<OutboundLimits> = {}) {
    const all = { ...limitsByDefault, ...limits };
    this.#guard = guard;
    this.#slots = new ConnectionSlots(all);
    this.#agents = keptAgents(all);
  }

  /**
   * The time a request waits for a connection is none of `timeoutMs`.
   * @throws OutboundError also `busy` where too many wait
   */
  async request(request: OutboundRequest): Promise<OutboundAnswer> {
    const { host } = this.#guard.requireUrl(request.url);
    await this.#slots.take(host);
    const startedAt = performance.now();
    try {
      return await exchange(this.#guard, request, this.#agents);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      const timeoutMs = request.timeoutMs - (performance.now() - startedAt);
      if (timeoutMs <= 0) throw new OutboundError('timeout', 'the host did not answer in time', error);
      return await exchange(this.#guard, { ...request, timeoutMs }, false);
    } finally {
      this.#slots.release(host);
    }
  }

  /** Ends all connections; requests that are under way fail. */
  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}
