import type { NativeStream, NativeStreams } from '../network/native-streams.ts';
import type { Network, OpenSocket } from '../network/open-socket.ts';

/** How much text is gathered before it is written within a turn. */
const GATHERED_MAX = 65_536;

/**
 * What is written to one connection. Answers of one turn are gathered, and written at once at its end. Text that is
 * ASCII alone is written as such, which is faster.
 */
export class SocketOutput {
  /** Whether the network has taken less than was written: nothing more should be written before `room`. */
  isBlocked = false;
  readonly #socket: OpenSocket['socket'];
  readonly #stream: NativeStream | undefined;
  readonly #native: NativeStreams | null;
  readonly #drained: () => void;
  #text = '';
  #isAscii = true;
  #isCorked = false;
  #wake: (() => void) | undefined;
  /** Octets that were handed to the stream itself and wait there. */
  #waiting = 0;
  /** Octets that the network had taken when it was last looked at. */
  #taken = 0;

  /** @param drained called when the network has taken what was too much */
  constructor({ socket, stream }: OpenSocket, { native }: Network, drained: () => void) {
    this.#socket = socket;
    this.#stream = stream;
    this.#native = native;
    this.#drained = drained;
    socket.on('drain', drained);
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
    this.isBlocked = this.#socket.writableNeedDrain || this.#waiting > 0;
  }

  #writeText(): void {
    const text = this.#text;
    if (text === '') return;
    const isAscii = this.#isAscii;
    this.#text = '';
    this.#isAscii = true;
    if (this.#waiting > 0 || this.#isCorked || this.#socket.writableLength > 0 || !this.#writeNow(text, isAscii)) {
      if (!this.#socket.write(text, isAscii ? 'latin1' : 'utf8')) this.isBlocked = true;
    }
  }

  /** Writes past the streams of Node.js, if nothing waits there. @returns whether it was tried */
  #writeNow(text: string, isAscii: boolean): boolean {
    if (this.#stream === undefined || this.#native === null || !this.#socket.writable) return false;
    const result = this.#native.write(this.#stream, text, isAscii, this.#completed);
    if (result < 0) this.#socket.destroy();
    else if (result > 0) {
      this.#waiting = text.length;
      this.isBlocked = true;
    }
    return true;
  }

  readonly #completed = (status: number): void => {
    this.#waiting = 0;
    if (status < 0) this.#socket.destroy();
    else if (!this.#socket.writableNeedDrain) this.#drained();
  };

  /** Whether the network has taken something since this was last asked. */
  hasMoved(): boolean {
    const taken = this.#socket.bytesWritten - this.#socket.writableLength - this.#waiting;
    const hasMoved = taken !== this.#taken;
    this.#taken = taken;
    return hasMoved;
  }

  /** Whether everything was taken. */
  get isEmpty(): boolean {
    return this.#text === '' && this.#socket.writableLength === 0 && this.#waiting === 0;
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
