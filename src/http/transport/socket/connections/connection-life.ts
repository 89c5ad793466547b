import type { Socket } from 'node:net';
import { normaliseAddress } from '../../../../platform/index.ts';
import { discardBytes } from '../../gathered-body.ts';
import { SocketOutput } from '../answers/socket-output.ts';
import type { Arriving } from '../network/arrivals.ts';
import { openSocket } from '../network/open-socket.ts';
import type { SocketServer } from '../socket-server.ts';
import type { Timed } from './deadline-wheel.ts';
import type { Entry, Kept } from './open-connections.ts';

/** What comes next: of a request, its answer, nothing more from the client, or nothing at all. */
type Phase = 'head' | 'body' | 'answer' | 'ended' | 'closed';

/** How long a client may take to see that its connection has ended. A reset could cost it the answer. */
const FAREWELL_MS = 2_000;

/** How a connection begins, waits and ends. */
export abstract class ConnectionLife implements Arriving, Kept, Timed {
  readonly address: string;
  deadline = Number.POSITIVE_INFINITY;
  slot: Set<Timed> | undefined = undefined;
  due = 0;

  protected readonly server: SocketServer;
  protected readonly socket: Socket;
  protected readonly output: SocketOutput;
  protected readonly entry: Entry<ConnectionLife>;
  protected phase: Phase = 'head';
  /** The beginning of a head, or what came behind a request that is not answered yet. */
  protected rest: Buffer | undefined = undefined;
  /** Tells a stream that its client has gone. */
  protected gone: AbortController | undefined = undefined;
  /** Whether the client sends nothing more. */
  protected isHalfClosed = false;
  #discarded = 0;

  constructor(server: SocketServer, accepted: Socket) {
    this.server = server;
    this.address = normaliseAddress(accepted.remoteAddress ?? '');
    // a new connection may replace one that is idle
    server.network.arrivals.read();
    const open = openSocket(accepted, server.network, this);
    const { socket } = open;
    this.socket = socket;
    this.output = new SocketOutput(open, server.network, () => this.#drained());
    this.entry = server.connections.add(this);
    socket.on('end', () => this.#ended());
    socket.on('close', () => this.#closed());
    // `close` follows
    socket.on('error', () => {});
    server.wheel.set(this, server.limits.headersTimeoutMs);
    server.connections.admit(this.entry);
  }

  arrive(octets: Buffer, from: number, to: number): void {
    if (this.phase === 'ended') this.#discard(to - from);
    else this.receive(octets, from, to);
  }

  /** @param octets are gone when this returns: what is kept of them must be copied */
  protected abstract receive(octets: Buffer, from: number, to: number): void;
  abstract endTurn(): void;
  /** The network has taken what kept the connection from reading on. */
  protected abstract goOn(): void;
  /** The rest of a request did not come in time. */
  protected abstract expireRequest(): void;

  /** Whether a request is under way: its head has begun to come, or its answer is not complete. */
  get isBusy(): boolean {
    if (this.phase === 'closed') return false;
    return this.phase === 'body' || this.phase === 'answer' || this.rest !== undefined || !this.output.isEmpty;
  }

  cut(): void {
    this.#closed();
    this.socket.destroy();
  }

  /** Nothing more is read, and the client is told so: what it sends from now on it may send again elsewhere. */
  end(): void {
    if (this.isOver) return;
    this.phase = 'ended';
    this.rest = undefined;
    this.output.flush();
    this.socket.end();
    this.socket.resume();
    this.server.wheel.set(this, FAREWELL_MS);
  }

  expire(): void {
    if (this.phase === 'ended' || this.output.isBlocked) this.#expireOutput();
    else if (this.phase === 'body' || this.rest !== undefined) this.expireRequest();
    else if (this.phase === 'head') this.end();
  }

  /** What was written must be taken, if slowly. */
  #expireOutput(): void {
    if (this.output.isEmpty || !this.output.hasMoved()) this.cut();
    else this.server.wheel.set(this, this.phase === 'ended' ? FAREWELL_MS : this.server.limits.bodyTimeoutMs);
  }

  protected get isOver(): boolean {
    return this.phase === 'closed' || this.phase === 'ended';
  }

  /** Waits until what was written is taken. @returns whether the connection is still there */
  protected async room(): Promise<boolean> {
    if (this.output.isBlocked && !this.isOver) {
      this.server.wheel.set(this, this.server.limits.bodyTimeoutMs);
      await this.output.room();
    }
    return !this.isOver;
  }

  /** Reads on, so that no reset takes the answer from a client that still sends. */
  #discard(bytes: number): void {
    this.#discarded += bytes;
    if (this.#discarded > discardBytes) this.cut();
  }

  #drained(): void {
    this.output.drained();
    this.deadline = Number.POSITIVE_INFINITY;
    if (this.phase === 'ended') this.server.wheel.set(this, FAREWELL_MS);
    else if (this.phase === 'head') {
      this.server.wheel.set(this, this.server.limits.idleTimeoutMs);
      this.goOn();
    }
  }

  #ended(): void {
    this.server.network.arrivals.read();
    this.isHalfClosed = true;
    if (this.phase === 'body' || this.gone !== undefined) this.cut();
    else if (this.phase === 'head' && !this.output.isBlocked) this.end();
  }

  #closed(): void {
    if (this.phase === 'closed') return;
    this.phase = 'closed';
    this.rest = undefined;
    this.server.wheel.remove(this);
    this.server.connections.remove(this.entry);
    this.gone?.abort();
    this.output.drained();
  }
}
