import type { Allowance, Endpoint, Throttle } from '../../../http/index.ts';
import { addressKey, type Clock, type Limits } from '../../../platform/index.ts';
import { RATE_WINDOW_MS, RateTable } from './rate-table.ts';

type RateLimits = Pick<Limits, 'rateOrdinary' | 'rateDecisions' | 'rateExpensive' | 'ratePublic'>;

export interface ThrottleDependencies<Caller> {
  readonly memory: SharedArrayBuffer;
  readonly limits: RateLimits;
  readonly clock: Clock;
  /** What a caller is counted by: its credential's subject, and whose organization it is. */
  readonly nameOf: (caller: Caller) => string;
}

/** Requests in a minute of one credential, or, at public endpoints, of one address. 0 is no limit. */
export function createThrottle<Caller>(dependencies: ThrottleDependencies<Caller>): Throttle<Caller> {
  const { memory, limits, clock, nameOf } = dependencies;
  const table = new RateTable(memory, RATE_WINDOW_MS);
  return (endpoint) => {
    const { kind, most } = allowanceOf(endpoint, limits);
    if (most === 0) return undefined;
    return (caller, visit) => {
      const name = caller === undefined ? addressKey(visit.clientAddress()) : nameOf(caller);
      const now = clock.now();
      return allowance(most, table.add(`${kind}\n${name}`, now), table.secondsLeft(now));
    };
  };
}

function allowanceOf({ rate, access }: Endpoint, limits: RateLimits): { kind: string; most: number } {
  if (access === 'public' && rate === 'ordinary') return { kind: 'public', most: limits.ratePublic };
  const { rateOrdinary, rateDecisions, rateExpensive } = limits;
  const most = { ordinary: rateOrdinary, decisions: rateDecisions, expensive: rateExpensive, unlimited: 0 };
  return { kind: rate, most: most[rate] };
}

/** As `RateLimit-*` says it (draft-ietf-httpapi-ratelimit-headers, in its form of three headers). */
function allowance(most: number, used: number, secondsLeft: number): Allowance {
  return {
    headers: {
      'ratelimit-limit': String(most),
      'ratelimit-remaining': String(Math.max(0, most - used)),
      'ratelimit-reset': String(secondsLeft),
    },
    retryAfter: used > most ? secondsLeft : undefined,
  };
}
