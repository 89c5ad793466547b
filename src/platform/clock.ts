/** Where the time comes from. Passed as an argument, so that tests move it and commands record it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

let lastTime = Number.NaN;
let lastText = '';

/** As `Date.toISOString`, once for all that is written down in a millisecond. */
export function isoTime(time: number): string {
  if (time !== lastTime) lastText = new Date(time).toISOString();
  lastTime = time;
  return lastText;
}

/** The same of a time that there may not be. */
export function isoTimeOrNull(time: number | undefined): string | null {
  return time === undefined ? null : isoTime(time);
}

export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that stands still until it is moved. */
export function manualClock(start: number): ManualClock {
  let time = start;
  return {
    now: () => time,
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}
