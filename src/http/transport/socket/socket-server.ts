import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Background } from '../../../platform/index.ts';
import { DRAIN, drainingController, HeldRequests, quickTurn, untilQuiet } from '../draining.ts';
import type { ConnectionLimits, ListenAddress, Listener, Listening, TransportLimits } from '../transport.ts';
import { DateLine } from './answers/answer-text.ts';
import { PreparedAnswers } from './answers/prepared-answers.ts';
import type { ConnectionLife } from './connections/connection-life.ts';
import { DeadlineWheel } from './connections/deadline-wheel.ts';
import { OpenConnections } from './connections/open-connections.ts';
import { SocketConnection } from './connections/socket-connection.ts';
import { ExchangePool } from './connections/socket-exchange.ts';
import type { NativeStreams } from './network/native-streams.ts';
import { acceptOptions, type Network, networkOf } from './network/open-socket.ts';
import { KnownHeads } from './requests/head-reader.ts';

interface SocketServerDependencies {
  readonly background: Background;
  readonly connections: ConnectionLimits;
  /** What is below sockets, where it can be used. */
  readonly native: NativeStreams | null;
}

/** The state that all connections of one listening socket share. */
export class SocketServer implements Listening {
  readonly listener: Listener;
  readonly limits: TransportLimits;
  readonly network: Network;
  readonly wheel: DeadlineWheel;
  readonly date = new DateLine();
  readonly answers = new PreparedAnswers();
  readonly exchanges = new ExchangePool();
  readonly heads: KnownHeads;
  readonly connections: OpenConnections<ConnectionLife>;
  readonly draining = drainingController();
  readonly held = new HeldRequests();
  /** From then on each answer is the last of its connection. */
  isClosing = false;
  port = 0;
  /** How many requests have ended. */
  ended = 0;

  readonly #server: Server;

  constructor(
    limits: TransportLimits,
    listener: Listener,
    { background, connections, native }: SocketServerDependencies,
  ) {
    this.network = networkOf(native, background, (requests) => listener.foresee?.(requests));
    this.heads = new KnownHeads(new DataView(this.network.buffer.buffer));
    this.listener = listener;
    this.limits = limits;
    this.connections = new OpenConnections(connections.bound, connections.closed);
    const dated = (): void => this.date.turn();
    const ticked = (): void => {
      dated();
      this.network.arrivals.read();
    };
    this.wheel = new DeadlineWheel(background, ticked, dated, () => this.connections.size === 0);
    this.#server = createServer(acceptOptions, (socket) => new SocketConnection(this, socket));
  }

  async listen(address: ListenAddress, reusePort: boolean): Promise<Listening> {
    try {
      this.port = await listenOn(this.#server, address, reusePort);
    } catch (error) {
      this.wheel.stop();
      throw error;
    }
    return this;
  }

  /**
   * A keep-alive connection ends with its next answer, which says so. A connection without a request for a while is
   * ended with FIN, so that the client gets no reset, whatever it has just sent.
   */
  async drain(timeoutMs: number): Promise<number> {
    this.isClosing = true;
    const { connections, held } = this;
    const end = performance.now() + timeoutMs;
    this.draining.abort();
    held.begin();
    await quickTurn(() => connections.accepted);
    this.#stopAccepting();
    held.end();
    await untilQuiet(
      end,
      () => this.#inFlight(),
      () => this.ended,
    );
    const cutOff = this.#inFlight();
    for (const connection of connections) connection.end();
    const farewellUntil = performance.now() + DRAIN.farewellMs;
    while (cutOff === 0 && connections.size > 0 && performance.now() < farewellUntil) await sleep(DRAIN.lookMs);
    await this.close();
    return cutOff;
  }

  async makeRoom(): Promise<void> {
    this.network.arrivals.read();
    this.connections.closeIdle();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.#stopAccepting();
    this.wheel.stop();
    this.network.arrivals.read();
    for (const connection of this.connections) connection.cut();
  }

  #inFlight(): number {
    this.network.arrivals.read();
    let busy = 0;
    for (const connection of this.connections) if (connection.isBusy) busy++;
    return busy;
  }

  #stopAccepting(): void {
    if (this.#server.listening) this.#server.close();
  }
}

/** Resolves with the port once the server listens. */
function listenOn(server: Server, { host, port }: ListenAddress, reusePort: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ...(reusePort ? { reusePort } : {}) }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}
