import type { Socket } from 'node:net';

/** One accepted connection. */
export class NodeConnection {
  readonly socket: Socket;
  /** Whether its last request has come: what follows that is no request. */
  isEnding = false;
  /** Requests whose answer is not complete. */
  #requests = 0;
  /** How many bytes had come when the last of them was answered. */
  #bytesAnswered = 0;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  begin(): void {
    this.#requests++;
  }

  /** @returns whether no other request is being answered */
  end(): boolean {
    this.#bytesAnswered = this.socket.bytesRead;
    return --this.#requests === 0;
  }

  /** A request is being answered, or its head has begun to come. */
  get isBusy(): boolean {
    return this.#requests > 0 || this.socket.bytesRead > this.#bytesAnswered;
  }
}

/** Every open connection of a server. */
export class NodeConnections {
  /** How many there were so far. */
  accepted = 0;
  readonly #open = new Set<NodeConnection>();
  readonly #ofSocket = new WeakMap<Socket, NodeConnection>();

  add(socket: Socket): void {
    const connection = new NodeConnection(socket);
    this.accepted++;
    this.#open.add(connection);
    this.#ofSocket.set(socket, connection);
    socket.once('close', () => this.#open.delete(connection));
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

  /** Says that nothing more will be answered. What was sent before that arrived is not read, and may be sent again. */
  end(): void {
    for (const connection of this.#open) {
      connection.isEnding = true;
      connection.socket.end();
    }
  }
}
