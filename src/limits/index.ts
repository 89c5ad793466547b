export type { Attempt } from './lockout/failure-record.ts';
export { Lockout } from './lockout/lockout.ts';
export { sweepFailures } from './lockout/sweep.ts';
export { addressKey } from './rates/address-key.ts';
export { createGuessMemory, Guesses, type GuessMemory } from './rates/guesses.ts';
export { createRateMemory, RATE_KEYS } from './rates/rate-table.ts';
export { createSpentMemory, SpentTable } from './rates/spent-table.ts';
export { createThrottle } from './rates/throttle.ts';
export { Tries } from './rates/tries.ts';
