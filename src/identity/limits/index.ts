import { failureRecords } from './failure-record.ts';
import { accountLockedOut, bruteForce } from './limit-events.ts';

export { Attacks } from './attacks.ts';
export type { Attempt } from './failure-record.ts';
export { Lockout } from './lockout.ts';
export { createGuessMemory, Guesses, type GuessMemory } from './rates/guesses.ts';
export { createHeldMemory, type HeldKey, HeldTable } from './rates/held-table.ts';
export { createRateMemory, RATE_KEYS } from './rates/rate-table.ts';
export { createReplayMemory, ReplayCache } from './rates/replay-cache.ts';
export { createThrottle } from './rates/throttle.ts';
export { Tries } from './rates/tries.ts';

/** It has no endpoints: what counts and locks out stands in the way of others. */
export const limitsModule = { name: 'limits', records: [failureRecords], events: [accountLockedOut, bruteForce] };
