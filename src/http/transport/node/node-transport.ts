import { Background, silentLog } from '../../../platform/index.ts';
import { tcpTransport } from '../tcp-transport.ts';
import type { ConnectionLimits, Transport, TransportLimits } from '../transport.ts';
import { unlimitedConnections } from '../unlimited-connections.ts';
import { NodeServer } from './node-server.ts';

/** HTTP over `node:http`: slower, but it runs wherever Node.js does and reads longer request heads. */
export function nodeTransport(
  limits: TransportLimits,
  background: Background = new Background({ log: silentLog }),
  connections: ConnectionLimits = unlimitedConnections(),
): Transport {
  return tcpTransport('node', (listener) => new NodeServer(limits, listener, { background, connections }));
}
