import type { Visit } from './access.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Which allowance a request takes from. `decisions`: what services ask all the time. `expensive`: what keeps a thread
 * busy, or changes much. `unlimited`: probes. Everything else is `ordinary`.
 */
export type RateClass = 'ordinary' | 'decisions' | 'expensive' | 'unlimited';

/** What is left of a caller's allowance after this request. */
export interface Allowance {
  /** For the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds to wait, where nothing was left for this request. */
  readonly retryAfter: number | undefined;
}

/** Takes one request from the allowance of its caller; `undefined` at public endpoints, where it is the address's. */
export type ThrottleRule<Caller> = (caller: Caller | undefined, visit: Visit) => Allowance;

/** Decides once for each endpoint what applies to it. `undefined`: nothing, and nothing is counted. */
export type Throttle<Caller> = (endpoint: Endpoint) => ThrottleRule<Caller> | undefined;

/** The same endpoints with another class. */
export function rated(rate: RateClass, endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.map((endpoint) => ({ ...endpoint, rate }));
}
