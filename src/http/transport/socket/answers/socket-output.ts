import type { Socket } from 'node:net';

/** How much text is gathered before it is written within a turn. */
const GATHERED_MAX = 65_536;

/**
 * What is written to one connection. Answers of one turn are gathered, and written at once at its end. Text that is
 * ASCII alone is written as such, which is faster.
 */
export class SocketOutput {
  /** Whether the network has taken less than was written: nothing more should be written before `room`. */
  isBlocked = false;
  readonly #socket: Socket;
  #text = '';
  #isAscii = true;
  #isCorked = false;
  #wake: (() => void) | undefined;
  /** Octets that the network had taken when it was last looked at. */
  #taken = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  add(text: string, isAscii: boolean): void {
    this.#text += text;
    if (!isAscii) this.#isAscii = false;
    if (this.#text.length > GATHERED_MAX) this.#writeText();
  }

  addBytes(bytes: Uint8Array): void {
    if (!this.#isCorked) this.#socket.cork();
    this.#isCorked = true;
    this.#writeText();
    if (!this.#socket.write(bytes)) this.isBlocked = true;
  }

  /** At the end of a turn. */
  flush(): void {
    if (this.#text !== '') this.#writeText();
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#socket.uncork();
    // what was corked counted as not taken
    this.isBlocked = this.#socket.writableNeedDrain;
  }

  #writeText(): void {
    if (this.#text === '') return;
    if (!this.#socket.write(this.#text, this.#isAscii ? 'latin1' : 'utf8')) this.isBlocked = true;
    this.#text = '';
    this.#isAscii = true;
  }

  /** Whether the network has taken something since this was last asked. */
  hasMoved(): boolean {
    const taken = this.#socket.bytesWritten - this.#socket.writableLength;
    const hasMoved = taken !== this.#taken;
    this.#taken = taken;
    return hasMoved;
  }

  /** Whether everything was taken. */
  get isEmpty(): boolean {
    return this.#text === '' && this.#socket.writableLength === 0;
  }

  /** Resolves when there is room, or never will be. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** The network has taken everything, or the connection has closed. */
  drained(): void {
    this.isBlocked = false;
    this.#wake?.();
    this.#wake = undefined;
  }
}
