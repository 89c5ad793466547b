import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { Background, silentLog } from '../../platform/index.ts';
import { nodeTransport } from './node/node-transport.ts';
import type { ConnectionLimits, ListenAddress, Transport, TransportLimits } from './transport.ts';
import { unlimitedConnections } from './unlimited-connections.ts';
import { uwsTransport } from './uws/uws-transport.ts';

export type TransportChoice = 'auto' | 'uws' | 'node';

/** @throws Error where `uws` is asked for and its native module does not load; `auto` then takes `node:http` */
export function openTransport(
  choice: TransportChoice,
  limits: TransportLimits,
  background: Background = new Background({ log: silentLog }),
  connections: ConnectionLimits = unlimitedConnections(),
): Transport {
  if (choice === 'node') return nodeTransport(limits, background, connections);
  const uws = uwsTransport(limits, background);
  if (uws !== undefined) return uws;
  if (choice === 'auto') return nodeTransport(limits, background, connections);
  const version = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`;
  throw new Error(`uWebSockets.js has no binary for ${version}: set RELATA_TRANSPORT to auto or node`);
}

/** Below those that systems choose from by themselves: nobody else is given one before the threads listen on it. */
const FREE_PORTS = { min: 20_000, max: 32_768 };
const TRIES_MAX = 100;

/**
 * The port for several threads to listen on: the given one once nobody listens there, or a free one for 0. Sharing sets
 * SO_REUSEPORT, and with that a second server of the same user would be let in silently and take half of the
 * connections; and uWebSockets.js does not share a port that it was given for 0.
 * @throws Error (EADDRINUSE and its kin)
 */
export async function portToShare(address: ListenAddress): Promise<number> {
  if (address.port !== 0) return probed(address);
  for (let tries = 1; ; tries++) {
    try {
      return await probed({ ...address, port: randomInt(FREE_PORTS.min, FREE_PORTS.max) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES_MAX) throw error;
    }
  }
}

function probed(address: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ ...address, exclusive: true }, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
