import { connect, type Socket } from 'node:net';

export interface PacedAnswer {
  readonly status: number;
  readonly body: string;
}

export interface PacedRequest {
  readonly text: string;
  readonly answered: (answer: PacedAnswer, millis: number) => void;
}

interface Waiting extends PacedRequest {
  readonly since: number;
}

/** Requests that wait for a connection; more than this means that the service does not keep up. */
const WAITING_MAX = 20_000;

/**
 * HTTP/1.1 over a few connections that stay open, one request at a time on each. Requests come when their time has
 * come, however long earlier answers take; what they wait for a connection counts as time of the answer.
 */
export class PacedClient {
  readonly #port: number;
  readonly #idle: Connection[] = [];
  #waiting: Waiting[] = [];
  #open = 0;
  readonly #connectionsMax: number;
  /** Requests that got no whole answer. */
  lost = 0;

  constructor(port: number, connectionsMax: number) {
    this.#port = port;
    this.#connectionsMax = connectionsMax;
  }

  get underWay(): number {
    return this.#waiting.length + this.#open - this.#idle.length;
  }

  send(request: PacedRequest): void {
    const waiting = { ...request, since: performance.now() };
    const connection = this.#idle.pop();
    if (connection !== undefined) return connection.send(waiting);
    if (this.#waiting.length >= WAITING_MAX) throw new Error(`${WAITING_MAX} requests wait for an answer`);
    this.#waiting.push(waiting);
    if (this.#open < this.#connectionsMax) this.#connect();
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }

  #connect(): void {
    this.#open++;
    const connection = new Connection(connect(this.#port, '127.0.0.1'), {
      free: () => this.#free(connection),
      ended: (isLost) => {
        this.#open--;
        if (isLost) this.lost++;
        const place = this.#idle.indexOf(connection);
        if (place >= 0) this.#idle.splice(place, 1);
        if (this.#waiting.length > 0 && this.#open < this.#connectionsMax) this.#connect();
      },
    });
  }

  #free(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(connection);
    else connection.send(next);
  }
}

interface ConnectionEvents {
  readonly free: () => void;
  readonly ended: (isLost: boolean) => void;
}

class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #request: Waiting | undefined;
  #text = '';

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('connect', () => events.free());
    socket.on('data', (text: string) => this.#received(text));
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => events.ended(this.#request !== undefined));
  }

  send(request: Waiting): void {
    this.#request = request;
    this.#socket.write(request.text);
  }

  close(): void {
    this.#socket.destroy();
  }

  #received(text: string): void {
    this.#text += text;
    const head = this.#text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#text.slice(0, head))?.[1] ?? 0);
    if (this.#text.length < head + 4 + length) return;
    const body = this.#text.slice(head + 4, head + 4 + length);
    const status = Number(this.#text.slice(9, 12));
    const request = this.#request;
    this.#text = '';
    this.#request = undefined;
    request?.answered({ status, body }, performance.now() - request.since);
    this.#events.free();
  }
}
