import { type Background, lastReading, readStopwatch } from '../../../../platform/index.ts';
import type { Foreseen } from '../../transport.ts';

/** What is longer is read where it has come to. */
const PIECE_MAX = 4_096;
/** So many pieces are read together at most: what they need has room in a processor's caches. */
const PIECES_MAX = 32;
/** A thread that has rested for so long reads the first piece at once, then two together, four and so on. */
const RESTED_MS = 0.2;
/** Room for as many as are read together. */
export const ARRIVALS_BYTES = PIECES_MAX * PIECE_MAX;
/** Answers wait at most this long for those to the requests behind them, and for the one that is being answered. */
const HELD_MS = 1;

/** A connection, as what has come to it is read. */
export interface Arriving {
  /** @param octets of which those from one offset to another have come, and are gone when this returns */
  arrive(octets: Buffer, from: number, to: number): void;
  /**
   * What is going to arrive, octets of the same offsets: reads what can be read before.
   * @returns a request whose head is all there
   */
  foresee?(octets: Buffer, from: number, to: number): Foreseen | undefined;
  /** Writes what was answered. */
  endTurn(): void;
  cut(): void;
}

/**
 * What has come to the connections of a thread in one turn of the event loop. It is taken from some sockets first, then
 * read and answered, one request after another, and the answers are written last. One by one, the code of the kernel and
 * that of the service would push each other out of the processor's caches with every request.
 */
export class Arrivals {
  readonly #octets: Buffer;
  readonly #background: Background;
  readonly #endTurnSoon: () => void;
  readonly #foresee: (requests: readonly Foreseen[]) => void;
  readonly #foreseen: Foreseen[] = [];
  /** To whom a piece has come, and where it ends. */
  readonly #connections: Arriving[] = [];
  readonly #ends: number[] = [];
  #count = 0;
  #used = 0;
  /** So many are read together now. */
  #together = 1;
  #hasTurn = false;
  #turnEndedAt = 0;
  #isReading = false;
  /** Those whose answers wait. */
  readonly #answered: Arriving[] = [];

  /**
   * @param octets room for what is gathered
   * @param foresee called with requests that have come together, before the first of them is read
   */
  constructor(octets: Buffer, background: Background, foresee: (requests: readonly Foreseen[]) => void = () => {}) {
    this.#octets = octets;
    this.#foresee = foresee;
    this.#background = background;
    this.#endTurnSoon = background.atTurnEnd('connections', () => this.#endTurn());
  }

  /** Takes what has come, a copy where it can wait; all that came before it is read before it. */
  take(connection: Arriving, from: Buffer, bytes: number): void {
    if (bytes > PIECE_MAX || this.#isReading) {
      this.read();
      connection.arrive(from, 0, bytes);
      return;
    }
    if (!this.#hasTurn) this.#beginTurn();
    from.copy(this.#octets, this.#used, 0, bytes);
    this.#used += bytes;
    this.#connections[this.#count] = connection;
    this.#ends[this.#count++] = this.#used;
    if (this.#count < this.#together) return;
    this.read();
    this.#together = Math.min(PIECES_MAX, 2 * this.#together);
  }

  #beginTurn(): void {
    this.#hasTurn = true;
    if (readStopwatch() - this.#turnEndedAt >= RESTED_MS) this.#together = 1;
    this.#endTurnSoon();
  }

  #endTurn(): void {
    // first: whatever fails in reading, the next turn begins
    this.#hasTurn = false;
    this.read();
    this.#turnEndedAt = readStopwatch();
  }

  /** To be called first by whoever looks at what connections are doing: what has come to them counts as read. */
  read(): void {
    if (this.#count === 0 || this.#isReading) return;
    this.#isReading = true;
    let writtenAt = readStopwatch();
    if (this.#count > 1) this.#lookAhead();
    for (let index = 0, from = 0; index < this.#count; index++) {
      const to = this.#ends[index] as number;
      const begunAt = lastReading();
      this.#arrive(this.#connections[index] as Arriving, from, to);
      from = to;
      // a piece with requests ends as the last of them does, which was measured
      const now = lastReading() === begunAt ? readStopwatch() : lastReading();
      if (now - writtenAt < HELD_MS) continue;
      this.#write();
      writtenAt = now;
    }
    this.#write();
    this.#connections.length = this.#count = this.#used = 0;
    this.#isReading = false;
  }

  /** Of `performance.now()`: while pieces are read, when the last of them or the last request ended. */
  get now(): number {
    return this.#isReading ? lastReading() : readStopwatch();
  }

  /** @returns whether the end of the connection's turn is put off until others have had theirs */
  putOff(connection: Arriving): boolean {
    if (this.#isReading) this.#answered.push(connection);
    return this.#isReading;
  }

  /** An error in it changes nothing: what was not foreseen is found when it is read. */
  #lookAhead(): void {
    try {
      this.#foreseePieces();
    } catch (error) {
      this.#background.failed('connections', error);
    }
    this.#foreseen.length = 0;
  }

  #foreseePieces(): void {
    const foreseen = this.#foreseen;
    for (let index = 0, from = 0; index < this.#count; index++) {
      const to = this.#ends[index] as number;
      const request = this.#connections[index]?.foresee?.(this.#octets, from, to);
      if (request !== undefined) foreseen.push(request);
      from = to;
    }
    if (foreseen.length > 1) this.#foresee(foreseen);
  }

  /** An error ends one connection, not what has come to the others. */
  #arrive(connection: Arriving, from: number, to: number): void {
    try {
      connection.arrive(this.#octets, from, to);
    } catch (error) {
      this.#failed(connection, error);
    }
  }

  #write(): void {
    for (const connection of this.#answered) {
      try {
        connection.endTurn();
      } catch (error) {
        this.#failed(connection, error);
      }
    }
    this.#answered.length = 0;
  }

  #failed(connection: Arriving, error: unknown): void {
    this.#background.failed('connections', error);
    connection.cut();
  }
}
