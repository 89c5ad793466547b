import { Background, silentLog } from '../../platform/index.ts';
import { socketTransport } from './socket/socket-transport.ts';
import type { ConnectionLimits, Transport, TransportKind, TransportLimits } from './transport.ts';
import { unlimitedConnections } from './unlimited-connections.ts';
import { uwsTransport } from './uws/uws-transport.ts';

export type TransportChoice = 'auto' | TransportKind;

/**
 * `auto` takes what answers most on so many threads: sockets of Node.js. Only for several threads that cannot share a
 * port with these, as on Node.js 20, does it take uWebSockets.js, if that loads.
 * @throws Error where `uws` is asked for and its native module does not load
 */
export function openTransport(
  { choice, threads }: { readonly choice: TransportChoice; readonly threads: number },
  limits: TransportLimits,
  background: Background = new Background({ log: silentLog }),
  connections: ConnectionLimits = unlimitedConnections(),
): Transport {
  const socket = socketTransport(limits, background, connections);
  if (choice === 'socket' || (choice === 'auto' && (threads === 1 || socket.sharesPort))) return socket;
  const uws = uwsTransport(limits, background);
  if (uws !== undefined) return uws;
  if (choice === 'auto') return socket;
  const version = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`;
  throw new Error(`uWebSockets.js has no binary for ${version}: set RELATA_TRANSPORT to auto or socket`);
}
