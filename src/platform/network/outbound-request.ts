import { exchange, type OutboundAnswer, type OutboundRequest } from './exchange.ts';
import type { OutboundGuard } from './outbound.ts';

/**
 * One request to a URL that a tenant chose: to a checked address, on a connection of its own, without following
 * redirects, and bounded in time and size.
 * @throws OutboundError
 */
export function outboundRequest(guard: OutboundGuard, request: OutboundRequest): Promise<OutboundAnswer> {
  return exchange(guard, request, false);
}
