/** Where the time comes from. Passed as an argument, so that tests move it and commands record it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Requests that begin within half a millisecond have one time, of whole milliseconds. */
const SHARED_MS = 0.5;

/**
 * The clock of a thread that answers requests: while one is answered it is read once, when it is first asked for. To read
 * it takes as long as a part of a decision, and the credential, the question and the note of last use each want it; all of
 * a request is then decided at one time. Requests that follow at once are decided at the same time. The cost: a request
 * may see a time that is half a millisecond old, and within one that keeps the thread for long, the time stands still.
 */
export class RequestClock implements Clock {
  readonly #source: Clock;
  #isHeld = false;
  #time: number | undefined;
  /** When the first request began that has this time; infinity where that is not known. */
  #sharedFrom = Number.NEGATIVE_INFINITY;

  constructor(source: Clock) {
    this.#source = source;
  }

  now(): number {
    if (!this.#isHeld) return this.#source.now();
    this.#time ??= this.#source.now();
    return this.#time;
  }

  /**
   * Until `release`, in the same turn, all that ask get one time.
   * @param at when that is, of `performance.now()`: the time is read anew where it is not known
   */
  hold(at?: number): void {
    this.#isHeld = true;
    if (at !== undefined && at >= this.#sharedFrom && at - this.#sharedFrom < SHARED_MS) return;
    this.#time = undefined;
    this.#sharedFrom = at ?? Number.NEGATIVE_INFINITY;
  }

  release(): void {
    this.#isHeld = false;
  }
}

let lastTime = Number.NaN;
let lastText = '';
let lastSecond = Number.NaN;
/** Of the last second, without its milliseconds and what follows them. */
let secondText = '';
const MILLISECONDS_LENGTH = '000Z'.length;

/** As `Date.toISOString`, once for all that is written down in a millisecond, and whole once a second. */
export function isoTime(time: number): string {
  if (time === lastTime) return lastText;
  const whole = Math.trunc(time);
  const second = Math.floor(whole / 1000);
  if (second !== lastSecond) {
    secondText = new Date(second * 1000).toISOString().slice(0, -MILLISECONDS_LENGTH);
    lastSecond = second;
  }
  lastText = `${secondText}${String(whole - second * 1000).padStart(3, '0')}Z`;
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
