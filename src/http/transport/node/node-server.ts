import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Background } from '../../../platform/index.ts';
import { BodyDeadlines } from '../body-deadlines.ts';
import { drainConnections, drainingController, HeldRequests } from '../draining/draining.ts';
import { malformedAnswer } from '../malformed-answer.ts';
import { listenOn } from '../tcp-transport.ts';
import type { ConnectionLimits, ListenAddress, Listener, Listening, TransportLimits } from '../transport.ts';
import { NodeConnections } from './node-connections.ts';
import { NodeExchange } from './node-exchange.ts';

/** What the parser of Node.js refuses, by its error code; everything else is a 400. */
const parserRefusals: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

interface NodeServerDependencies {
  readonly background: Background;
  readonly connections: ConnectionLimits;
}

/** The state that all exchanges of one listening socket share. */
export class NodeServer implements Listening {
  readonly listener: Listener;
  readonly deadlines: BodyDeadlines;
  /** Exchanges whose answer is not complete. */
  readonly active = new Set<NodeExchange>();
  readonly connections: NodeConnections;
  readonly draining = drainingController();
  readonly held = new HeldRequests();
  closing = false;
  port = 0;
  /** How many requests have ended. */
  ended = 0;

  readonly #server: Server;

  constructor(limits: TransportLimits, listener: Listener, { background, connections }: NodeServerDependencies) {
    this.listener = listener;
    this.connections = new NodeConnections(connections.bound, connections.closed);
    this.deadlines = new BodyDeadlines(limits.bodyTimeoutMs, background);
    const options = {
      insecureHTTPParser: false,
      // Node.js would answer 400 by itself, and then run the next request of the same packet; `judgeFraming` closes
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      // behind the deadline of the body, which answers with a problem where this can only close
      requestTimeout: limits.headersTimeoutMs + limits.bodyTimeoutMs + 5_000,
      keepAliveTimeout: limits.idleTimeoutMs,
      connectionsCheckingInterval: 1_000,
    };
    this.#server = createServer(options, (req, res) => new NodeExchange(this, req, res).begin());
    this.#server.on('connection', (socket) => this.connections.add(socket));
    this.#server.on('clientError', refuseUnparsed);
  }

  async listen(address: ListenAddress, reusePort: boolean): Promise<Listening> {
    try {
      this.port = await listenOn(this.#server, address, reusePort);
    } catch (error) {
      this.deadlines.stop();
      throw error;
    }
    return this;
  }

  async drain(timeoutMs: number): Promise<number> {
    this.closing = true;
    const cutOff = await drainConnections(timeoutMs, {
      draining: this.draining,
      held: this.held,
      connections: this.connections,
      inFlight: () => this.#inFlight(),
      ended: () => this.ended,
      stopAccepting: () => this.#stopAccepting(),
      endConnections: () => this.connections.end(),
    });
    await this.close();
    return cutOff;
  }

  async makeRoom(): Promise<void> {
    this.connections.closeIdle();
  }

  async close(): Promise<void> {
    this.closing = true;
    this.#stopAccepting();
    this.deadlines.stop();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Requests that are being answered, and those whose head has begun to come. */
  #inFlight(): number {
    return Math.max(this.active.size, this.connections.busy);
  }

  #stopAccepting(): void {
    // the method of `Server` itself would cut connections that seem idle, though a request may be on its way
    if (this.#server.listening) NetServer.prototype.close.call(this.#server);
  }
}

function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.end(malformedAnswer(parserRefusals[error.code ?? ''] ?? 400));
}
