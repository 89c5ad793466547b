import { Background, silentLog } from '../../../platform/index.ts';
import { canReusePort } from '../reuse-port.ts';
import type { ConnectionLimits, Transport, TransportLimits } from '../transport.ts';
import { unlimitedConnections } from '../unlimited-connections.ts';
import { type NativeStreams, nativeStreams } from './network/native-streams.ts';
import { SocketServer } from './socket-server.ts';

/**
 * HTTP/1.1 of our own on TCP sockets of Node.js: strict, and made for requests and answers that fit a packet.
 *
 * Several threads share its port from Node.js 22.12 and 23.1 on, on systems that deal connections out. Before that a
 * thread cannot hand a connection to another, so there is one acceptor thread, whatever the number of cores.
 */
export function socketTransport(
  limits: TransportLimits,
  background: Background = new Background({ log: silentLog }),
  connections: ConnectionLimits = unlimitedConnections(),
  native: NativeStreams | null = nativeStreams(),
): Transport {
  const sharesPort = canReusePort(process.versions.node, process.platform);
  return {
    kind: 'socket',
    sharesPort,
    listen(address, listener) {
      const server = new SocketServer(limits, listener, { background, connections, native });
      return server.listen(address, sharesPort);
    },
  };
}
