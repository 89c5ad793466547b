import { performance } from 'node:perf_hooks';

/** The last reading, and whether it was the end of what the thread does for a request: kept as numbers in one place. */
const state = new Float64Array(2);
const LAST = 0;
const IS_END = 1;

/**
 * Reads `performance.now()`. Each reading takes as long as routing a request, and what ends one thing begins the next: who
 * knows that something has just been measured asks for the last reading instead.
 */
export function readStopwatch(): number {
  const now = performance.now();
  state[LAST] = now;
  return now;
}

/** Of this thread, however long ago. */
export function lastReading(): number {
  return state[LAST] as number;
}

/** Reads it at the end of what takes the time of a request. Nothing but handing its answer on follows in this turn. */
export function readEnd(): number {
  state[IS_END] = 1;
  return readStopwatch();
}

/** A request begins: what was read as an end was that of another one. */
export function forgetEnd(): void {
  state[IS_END] = 0;
}

/** When the request ended that this turn is about: read now, unless `readEnd` has been called for it. */
export function endOfTurn(): number {
  return state[IS_END] === 1 ? lastReading() : readStopwatch();
}
