import { type OnReadOpts, Socket } from 'node:net';
import type { Background } from '../../../../platform/index.ts';
import type { Foreseen } from '../../transport.ts';
import { ARRIVALS_BYTES, Arrivals, type Arriving } from './arrivals.ts';
import { type NativeStream, type NativeStreams, nativeStreamOf } from './native-streams.ts';

const BUFFERED_BYTES = 65_536;

/** How sockets are accepted. */
export const acceptOptions = {
  allowHalfOpen: true,
  noDelay: true,
  highWaterMark: BUFFERED_BYTES,
  pauseOnConnect: true,
} as const;

/** What a thread has for all of its connections. */
export interface Network {
  readonly background: Background;
  /** `null` where it cannot be used. */
  readonly native: NativeStreams | null;
  /** What any connection reads goes here, and what is kept of it is copied. */
  readonly buffer: Buffer;
  /** In the memory of `buffer`, too. */
  readonly arrivals: Arrivals;
}

export function networkOf(
  native: NativeStreams | null,
  background: Background,
  foresee: (requests: readonly Foreseen[]) => void,
): Network {
  const octets = Buffer.allocUnsafeSlow(BUFFERED_BYTES + ARRIVALS_BYTES);
  const arrivals = new Arrivals(octets.subarray(BUFFERED_BYTES), background, foresee);
  return { native, background, buffer: octets.subarray(0, BUFFERED_BYTES), arrivals };
}

/** A socket that is read, and what is below it, where that can be used. */
export interface OpenSocket {
  readonly socket: Socket;
  readonly stream: NativeStream | undefined;
}

/** Begins to read an accepted socket. */
export function openSocket(accepted: Socket, network: Network, connection: Arriving): OpenSocket {
  const stream = network.native === null ? undefined : nativeStreamOf(accepted);
  if (stream === undefined) {
    accepted.on('data', (octets: Buffer) => connection.arrive(octets, 0, octets.length)).resume();
    return { socket: accepted, stream };
  }
  const { background, buffer, arrivals } = network;
  const callback = (bytes: number): boolean => {
    arrivals.take(connection, buffer, bytes);
    if (bytes < buffer.length) return true;
    // there is more, and libuv would read 32 times as much before anybody else has a turn
    setImmediate(background.guarded('connections', readOn));
    return false;
  };
  // only a socket that is made with a buffer reads into it
  const onread: OnReadOpts = { buffer, callback };
  const options = { handle: stream, allowHalfOpen: true, highWaterMark: BUFFERED_BYTES, onread };
  (accepted as unknown as { _handle: null })._handle = null;
  const socket = new Socket(options).resume();
  const readOn = (): void => {
    if (!socket.destroyed && !socket.isPaused()) socket.resume();
  };
  return { socket, stream };
}
