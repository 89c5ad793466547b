import { Background, silentLog } from '../../../platform/index.ts';
import { tcpTransport } from '../tcp-transport.ts';
import type { ConnectionLimits, Transport, TransportLimits } from '../transport.ts';
import { unlimitedConnections } from '../unlimited-connections.ts';
import { SocketServer } from './socket-server.ts';

/** HTTP/1.1 of our own on TCP sockets of Node.js: strict, and made for requests and answers that fit a packet. */
export function socketTransport(
  limits: TransportLimits,
  background: Background = new Background({ log: silentLog }),
  connections: ConnectionLimits = unlimitedConnections(),
): Transport {
  return tcpTransport('socket', (listener) => new SocketServer(limits, listener, { background, connections }));
}
