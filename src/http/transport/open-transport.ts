import { createServer } from 'node:net';
import { nodeTransport } from './node/node-transport.ts';
import type { ListenAddress, Transport, TransportLimits } from './transport.ts';
import { uwsTransport } from './uws/uws-transport.ts';

export type TransportChoice = 'auto' | 'uws' | 'node';

/** @throws Error where `uws` is asked for and its native module does not load; `auto` then takes `node:http` */
export function openTransport(choice: TransportChoice, limits: TransportLimits): Transport {
  if (choice === 'node') return nodeTransport(limits);
  const uws = uwsTransport(limits);
  if (uws !== undefined) return uws;
  if (choice === 'auto') return nodeTransport(limits);
  const version = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`;
  throw new Error(`uWebSockets.js has no binary for ${version}: set RELATA_TRANSPORT to auto or node`);
}

/**
 * Makes sure that nobody listens on the address, before several threads share it. Sharing sets SO_REUSEPORT, and with
 * that a second server of the same user would be let in silently and take half of the connections.
 * @throws Error (EADDRINUSE and its kin)
 */
export function assertAddressFree(address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ ...address, exclusive: true }, () => probe.close(() => resolve()));
  });
}
