import type { Socket } from 'node:net';
import { normaliseAddress } from '../../../platform/index.ts';
import { type ConnectionBound, networkOf } from '../connection-bound.ts';
import type { ClosedConnections } from '../transport.ts';

/** Connections without a request, the longest idle first. */
type Idle = Set<NodeConnection>;

/** The open connections of one address. */
interface Peer {
  readonly idle: Idle;
  open: number;
}

/** One accepted connection. */
export class NodeConnection {
  readonly socket: Socket;
  readonly address: string;
  /** Whether its last request has come: anything after it is not treated as a request. */
  isEnding = false;
  /** Where it stands while it is idle: of its address, and of all. */
  readonly #idle: readonly Idle[];
  /** Requests whose answer is not complete. */
  #requests = 0;
  /** How many bytes had arrived when the last request was answered. */
  #bytesAnswered = 0;

  constructor(socket: Socket, address: string, idle: readonly Idle[]) {
    this.socket = socket;
    this.address = address;
    this.#idle = idle;
    this.#rest();
  }

  begin(): void {
    if (this.#requests++ === 0) this.leaveIdle();
  }

  end(): void {
    this.#bytesAnswered = this.socket.bytesRead;
    if (--this.#requests === 0 && !this.socket.destroyed) this.#rest();
  }

  leaveIdle(): void {
    for (const idle of this.#idle) idle.delete(this);
  }

  #rest(): void {
    for (const idle of this.#idle) idle.add(this);
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
  readonly #idle: Idle = new Set();
  readonly #peers = new Map<string, Peer>();
  readonly #ofSocket = new WeakMap<Socket, NodeConnection>();

  constructor(bound: ConnectionBound, closed: ClosedConnections) {
    this.#bound = bound;
    this.#closed = closed;
  }

  /**
   * Accepts a new connection. If there are too many, of its address or in all, it closes the longest idle one of these
   * instead, or the new one if none is idle.
   */
  add(socket: Socket): void {
    this.accepted++;
    const address = normaliseAddress(socket.remoteAddress ?? '');
    const peer = this.#peerAt(address);
    peer.open++;
    const others = { ofPeer: oldestOf(peer.idle), ofAll: oldestOf(this.#idle) };
    const connection = new NodeConnection(socket, address, [peer.idle, this.#idle]);
    this.#open.add(connection);
    this.#ofSocket.set(socket, connection);
    socket.once('close', () => this.#remove(connection));
    if (this.#bound.add(address)) this.#makeWay(others.ofPeer, connection, 'address');
    else if (this.#bound.isExceeded) this.#makeWay(others.ofAll, connection, 'refused');
  }

  #makeWay(oldest: NodeConnection | undefined, added: NodeConnection, reason: 'address' | 'refused'): void {
    if (oldest === undefined) this.#close(added, reason);
    else this.#close(oldest, 'idle');
  }

  #peerAt(address: string): Peer {
    const network = networkOf(address);
    const known = this.#peers.get(network);
    if (known !== undefined) return known;
    const peer = { idle: new Set<NodeConnection>(), open: 0 };
    this.#peers.set(network, peer);
    return peer;
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
    connection.leaveIdle();
    if (!this.#open.delete(connection)) return;
    this.#bound.remove(connection.address);
    const peer = this.#peerAt(connection.address);
    if (--peer.open === 0) this.#peers.delete(networkOf(connection.address));
  }
}

function oldestOf(idle: Idle): NodeConnection | undefined {
  return idle.values().next().value;
}
