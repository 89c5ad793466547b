export { createGuessMemory, Guesses, type GuessMemory } from './rates/guesses.ts';
export { createRateMemory, RATE_KEYS } from './rates/rate-table.ts';
export { createThrottle } from './rates/throttle.ts';
