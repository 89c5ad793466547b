import type { Socket } from 'node:net';
import { normaliseAddress } from '../../../platform/index.ts';
import type { ConnectionBound } from '../connection-bound.ts';
import type { ClosedConnections } from '../transport.ts';

/** One accepted connection. */
export class NodeConnection {
  readonly socket: Socket;
  readonly address: string;
  /** Whether its last request has come: anything after it is not treated as a request. */
  isEnding = false;
  readonly #idle: Set<NodeConnection>;
  /** Requests whose answer is not complete. */
  #requests = 0;
  /** How many bytes had arrived when the last request was answered. */
  #bytesAnswered = 0;

  constructor(socket: Socket, idle: Set<NodeConnection>) {
    this.socket = socket;
    this.address = normaliseAddress(socket.remoteAddress ?? '');
    this.#idle = idle;
    idle.add(this);
  }

  begin(): void {
    if (this.#requests++ === 0) this.#idle.delete(this);
  }

  end(): void {
    this.#bytesAnswered = this.socket.bytesRead;
    if (--this.#requests === 0 && !this.socket.destroyed) this.#idle.add(this);
  }

  /** A request is being answered, or its head has begun to come. */
  get isBusy(): boolean {
    return this.#requests > 0 || this.socket.bytesRead > this.#bytesAnswered;
  }
}

/** Every open connection of a server, below the bounds that hold for all threads. */
export class NodeConnections {
  /** How many there were so far. */
  accepted = 0;
  readonly #bound: ConnectionBound;
  readonly #closed: ClosedConnections;
  readonly #open = new Set<NodeConnection>();
  /** Connections without a request, the longest idle first. */
  readonly #idle = new Set<NodeConnection>();
  readonly #ofSocket = new WeakMap<Socket, NodeConnection>();

  constructor(bound: ConnectionBound, closed: ClosedConnections) {
    this.#bound = bound;
    this.#closed = closed;
  }

  /**
   * Accepts a new connection. If there are too many, it closes the longest idle one instead, or the new one if none is
   * idle.
   */
  add(socket: Socket): void {
    this.accepted++;
    const oldest = this.#idle.values().next().value;
    const connection = new NodeConnection(socket, this.#idle);
    this.#open.add(connection);
    this.#ofSocket.set(socket, connection);
    socket.once('close', () => this.#remove(connection));
    if (this.#bound.add(connection.address)) this.#close(connection, 'address');
    else if (this.#bound.isExceeded && oldest !== undefined) this.#close(oldest, 'idle');
    else if (this.#bound.isExceeded) this.#close(connection, 'refused');
  }

  of(socket: Socket): NodeConnection | undefined {
    return this.#ofSocket.get(socket);
  }

  get busy(): number {
    let busy = 0;
    for (const connection of this.#open) if (connection.isBusy) busy++;
    return busy;
  }

  get size(): number {
    return this.#open.size;
  }

  closeIdle(): void {
    for (const connection of [...this.#idle]) this.#close(connection, 'idle');
  }

  /**
   * Tells the client that nothing more will be answered. What it sent before it heard of that is not read, and can be
   * sent again.
   */
  end(): void {
    for (const connection of this.#open) {
      connection.isEnding = true;
      connection.socket.end();
    }
  }

  #close(connection: NodeConnection, reason: keyof ClosedConnections): void {
    connection.isEnding = true;
    this.#remove(connection);
    connection.socket.destroy();
    this.#closed[reason].add();
  }

  #remove(connection: NodeConnection): void {
    this.#idle.delete(connection);
    if (this.#open.delete(connection)) this.#bound.remove(connection.address);
  }
}
