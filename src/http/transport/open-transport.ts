import { Background, silentLog } from '../../platform/index.ts';
import { nodeTransport } from './node/node-transport.ts';
import { socketTransport } from './socket/socket-transport.ts';
import type { ConnectionLimits, Transport, TransportKind, TransportLimits } from './transport.ts';
import { unlimitedConnections } from './unlimited-connections.ts';
import { uwsTransport } from './uws/uws-transport.ts';

export type TransportChoice = 'auto' | TransportKind;

/** @throws Error where `uws` is asked for and its native module does not load; `auto` then takes sockets of Node.js */
export function openTransport(
  choice: TransportChoice,
  limits: TransportLimits,
  background: Background = new Background({ log: silentLog }),
  connections: ConnectionLimits = unlimitedConnections(),
): Transport {
  if (choice === 'node') return nodeTransport(limits, background, connections);
  if (choice === 'socket') return socketTransport(limits, background, connections);
  const uws = uwsTransport(limits, background);
  if (uws !== undefined) return uws;
  if (choice === 'auto') return socketTransport(limits, background, connections);
  const version = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`;
  throw new Error(`uWebSockets.js has no binary for ${version}: set RELATA_TRANSPORT to auto, socket or node`);
}
