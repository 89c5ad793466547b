import { addressList } from '../../platform/index.ts';
import { ConnectionBound } from './connection-bound.ts';
import type { ConnectionLimits } from './transport.ts';

/** For a transport of its own, without a service around it. */
export function unlimitedConnections(): ConnectionLimits {
  const uncounted = { add() {} };
  return {
    bound: new ConnectionBound(ConnectionBound.allocate(), addressList([])),
    closed: { idle: uncounted, refused: uncounted, address: uncounted },
  };
}
