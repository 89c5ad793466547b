import { Background, silentLog } from '../../../platform/index.ts';
import type { Transport, TransportLimits } from '../transport.ts';
import { loadUws } from './uws-binding.ts';
import { UwsListening } from './uws-listening.ts';
import { UwsServer } from './uws-server.ts';

/**
 * HTTP over uWebSockets.js; `undefined` where its native module does not load.
 *
 * What it does not do: TLS, heads over 4 KB that come in several segments (it closes the connection), bodies in
 * chunks (411), and pipelining behind an answer that is not ready in the turn of its request (it closes the connection,
 * as RFC 9112, 9.3.2 allows). An operator who needs one of these sets `RELATA_TRANSPORT=socket`.
 */
export function uwsTransport(
  limits: TransportLimits,
  background: Background = new Background({ log: silentLog }),
): Transport | undefined {
  const uws = loadUws();
  if (uws === undefined) return undefined;
  return {
    kind: 'uws',
    sharesPort: true,
    listen(address, listener) {
      const server = (): UwsServer => new UwsServer(uws, limits, listener, background);
      return new UwsListening(server, background).listen(address);
    },
  };
}
