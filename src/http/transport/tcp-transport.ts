import type { AddressInfo, Server } from 'node:net';
import { canReusePort } from './reuse-port.ts';
import type { ListenAddress, Listener, Listening, Transport } from './transport.ts';

/** A server that does not listen yet. */
interface Unopened {
  listen(address: ListenAddress, reusePort: boolean): Promise<Listening>;
}

/**
 * A transport on TCP sockets of Node.js.
 *
 * Several threads share its port from Node.js 22.12 and 23.1 on, on systems that deal connections out. Before that a
 * thread cannot hand a connection to another, so there is one acceptor thread, whatever the number of cores.
 */
export function tcpTransport(kind: Transport['kind'], serverOf: (listener: Listener) => Unopened): Transport {
  const sharesPort = canReusePort(process.versions.node, process.platform);
  return { kind, sharesPort, listen: (address, listener) => serverOf(listener).listen(address, sharesPort) };
}

/** Resolves with the port once the server listens. */
export function listenOn(server: Server, { host, port }: ListenAddress, reusePort: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ...(reusePort ? { reusePort } : {}) }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}
