import { addressKey } from '../../../../platform/index.ts';
import type { ConnectionBound } from '../../connection-bound.ts';
import type { ClosedConnections } from '../../transport.ts';
import { type IdleEntry, IdleList } from './idle-list.ts';

/** A connection as its server keeps it. */
export interface Kept {
  readonly address: string;
  /** Closes at once, whatever is under way. */
  cut(): void;
}

/** The open connections of one network. */
interface Peer<T> {
  readonly idle: IdleList<T>;
  open: number;
}

/** Where a connection stands. */
export interface Entry<T> {
  readonly connection: T;
  readonly network: string;
  readonly peer: Peer<T>;
  readonly ofPeer: IdleEntry<T>;
  readonly ofAll: IdleEntry<T>;
}

/** Every open connection of a server, below the bounds that hold for all threads. */
export class OpenConnections<T extends Kept> {
  /** How many there were so far. */
  accepted = 0;
  readonly #bound: ConnectionBound;
  readonly #closed: ClosedConnections;
  readonly #open = new Set<T>();
  readonly #idle = new IdleList<T>();
  readonly #peers = new Map<string, Peer<T>>();

  constructor(bound: ConnectionBound, closed: ClosedConnections) {
    this.#bound = bound;
    this.#closed = closed;
  }

  add(connection: T): Entry<T> {
    this.accepted++;
    this.#open.add(connection);
    const network = addressKey(connection.address);
    const peer = this.#peers.get(network) ?? { idle: new IdleList<T>(), open: 0 };
    this.#peers.set(network, peer);
    peer.open++;
    const ofPeer = peer.idle.entryOf(connection);
    return { connection, network, peer, ofPeer, ofAll: this.#idle.entryOf(connection) };
  }

  /**
   * Counts a new connection, which is idle from now on. If there are too many, of its address or in all, the longest
   * idle one of these is closed, or the new one if none is idle.
   */
  admit(entry: Entry<T>): void {
    const oldest = { ofPeer: entry.peer.idle.oldest, ofAll: this.#idle.oldest };
    this.rest(entry);
    if (this.#bound.add(entry.connection.address)) this.#makeWay(oldest.ofPeer, entry.connection, 'address');
    else if (this.#bound.isExceeded) this.#makeWay(oldest.ofAll, entry.connection, 'refused');
  }

  /** It is idle from now on. */
  rest(entry: Entry<T>): void {
    entry.peer.idle.add(entry.ofPeer);
    this.#idle.add(entry.ofAll);
  }

  /** It is busy from now on. */
  work(entry: Entry<T>): void {
    entry.peer.idle.remove(entry.ofPeer);
    this.#idle.remove(entry.ofAll);
  }

  remove(entry: Entry<T>): void {
    this.work(entry);
    if (!this.#open.delete(entry.connection)) return;
    this.#bound.remove(entry.connection.address);
    if (--entry.peer.open === 0) this.#peers.delete(entry.network);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#open.values();
  }

  get size(): number {
    return this.#open.size;
  }

  closeIdle(): void {
    for (const connection of this.#idle) this.#close(connection, 'idle');
  }

  #makeWay(oldest: T | undefined, added: T, reason: 'address' | 'refused'): void {
    if (oldest === undefined) this.#close(added, reason);
    else this.#close(oldest, 'idle');
  }

  #close(connection: T, reason: keyof ClosedConnections): void {
    connection.cut();
    this.#closed[reason].add();
  }
}
