import { builtTransport, emptyServerLimits, type ListenAddress, type TransportKind } from './transport-shape.ts';

/**
 * A server that answers every request with the same JSON, on the service's own transport, or on the one that
 * its parameter names: what the transport costs without a service. It tells its port.
 */
const address: ListenAddress = { host: '127.0.0.1', port: 0 };
const { openTransport, headerBlock } = await builtTransport();
// from whoever starts it
const choice = (process.argv[2] ?? 'auto') as 'auto' | TransportKind;
const answer = {
  status: 200,
  head: headerBlock({ 'content-type': 'application/json; charset=utf-8' }),
  body: '{"allowed":true}',
};
const listening = await openTransport({ choice, threads: 1 }, emptyServerLimits).listen(address, {
  accept: () => 1_048_576,
  handle: () => answer,
  refuse: () => answer,
  failed: () => {},
});
process.send?.(listening.port);
process.once('disconnect', () => void listening.close());
