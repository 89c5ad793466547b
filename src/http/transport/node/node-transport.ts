import { Background, silentLog } from '../../../platform/index.ts';
import { canReusePort } from '../reuse-port.ts';
import type { ConnectionLimits, Transport, TransportLimits } from '../transport.ts';
import { unlimitedConnections } from '../unlimited-connections.ts';
import { NodeServer } from './node-server.ts';

/**
 * HTTP over `node:http`: slower, but it runs wherever Node.js does and reads longer request heads.
 *
 * Several threads share its port from Node.js 22.12 and 23.1 on, on systems that deal connections out. Before that a
 * thread cannot hand a connection to another, so there is one acceptor thread, whatever the number of cores.
 */
export function nodeTransport(
  limits: TransportLimits,
  background: Background = new Background({ log: silentLog }),
  connections: ConnectionLimits = unlimitedConnections(),
): Transport {
  const sharesPort = canReusePort(process.versions.node, process.platform);
  return {
    kind: 'node',
    sharesPort,
    listen: (address, listener) =>
      new NodeServer(limits, listener, { background, connections }).listen(address, sharesPort),
  };
}
