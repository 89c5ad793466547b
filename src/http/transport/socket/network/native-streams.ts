import type { Socket } from 'node:net';

/** What is used of the stream below a socket. */
export interface NativeStream {
  /** @returns 0, or a negative error of libuv */
  writeLatin1String(request: NativeWrite, text: string): number;
  writeUtf8String(request: NativeWrite, text: string): number;
  useUserBuffer(buffer: Uint8Array): void;
}

/** A write that the system has not taken at once. */
export interface NativeWrite {
  handle: NativeStream | undefined;
  oncomplete: ((status: number) => void) | undefined;
}

interface StreamWrap {
  readonly WriteWrap: new () => NativeWrite;
  readonly streamBaseState: Int32Array;
  readonly kLastWriteWasAsync: number;
}

/**
 * What Node.js has below its sockets, without the streams on top of it. These are no public interfaces, and so the
 * transport does without them wherever one is missing; its tests run in both ways. What they save is a third of what a
 * small request costs: a buffer made for each reading, and for each writing a request object and a turn of the queue of
 * `process.nextTick`.
 */
export class NativeStreams {
  readonly #wrap: StreamWrap;
  /** Of no write: one that the system takes at once leaves it as it was. */
  #spare: NativeWrite;

  constructor(wrap: StreamWrap) {
    this.#wrap = wrap;
    this.#spare = new wrap.WriteWrap();
  }

  /**
   * Hands text to the system.
   * @param completed called with 0 or an error once all is taken, if that is not at once
   * @returns the error, 0 if all was taken, 1 if some waits
   */
  write(stream: NativeStream, text: string, isAscii: boolean, completed: (status: number) => void): number {
    const request = this.#spare;
    const error = isAscii ? stream.writeLatin1String(request, text) : stream.writeUtf8String(request, text);
    if (error !== 0) return error;
    if (this.#wrap.streamBaseState[this.#wrap.kLastWriteWasAsync] === 0) return 0;
    request.handle = stream;
    request.oncomplete = completed;
    this.#spare = new this.#wrap.WriteWrap();
    return 1;
  }
}

/** `null` where this version of Node.js has no such things, or does not give them. */
export function nativeStreams(): NativeStreams | null {
  // Windows reads into a buffer after it was named: connections cannot share one
  if (process.platform === 'win32') return null;
  try {
    const { binding } = process as unknown as { binding(name: string): Partial<StreamWrap> };
    const { WriteWrap, streamBaseState, kLastWriteWasAsync } = binding.call(process, 'stream_wrap');
    if (typeof WriteWrap !== 'function' || typeof kLastWriteWasAsync !== 'number') return null;
    if (!(streamBaseState instanceof Int32Array)) return null;
    return new NativeStreams({ WriteWrap, streamBaseState, kLastWriteWasAsync });
  } catch {
    return null;
  }
}

/** The stream below a socket, if it can do what is needed. */
export function nativeStreamOf(socket: Socket): NativeStream | undefined {
  const { _handle: stream } = socket as unknown as { readonly _handle?: Partial<NativeStream> | null };
  const isWhole =
    typeof stream?.writeLatin1String === 'function' &&
    typeof stream.writeUtf8String === 'function' &&
    typeof stream.useUserBuffer === 'function';
  return isWhole ? (stream as NativeStream) : undefined;
}
