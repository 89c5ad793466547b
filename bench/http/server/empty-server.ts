import { builtTransport, type ListenAddress } from './transport-shape.ts';

/**
 * A server that answers every request with the same JSON, on the service's own transport: what the transport costs
 * without a service. It prints its port.
 */
const address: ListenAddress = { host: '127.0.0.1', port: 0 };
const { openTransport, headerBlock } = await builtTransport();
const limits = { headersTimeoutMs: 10_000, bodyTimeoutMs: 30_000, idleTimeoutMs: 10_000, headerBytes: 16_384 };
const answer = {
  status: 200,
  head: headerBlock({ 'content-type': 'application/json; charset=utf-8' }),
  body: '{"allowed":true}',
};
const listening = await openTransport('auto', limits).listen(address, {
  accept: () => 1_048_576,
  handle: () => answer,
  refuse: () => answer,
  failed: () => {},
});
process.send?.(listening.port);
process.once('disconnect', () => void listening.close());
