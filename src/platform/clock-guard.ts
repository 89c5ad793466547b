import type { Clock } from './clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How far the time may move by itself, against a clock that only counts on. */
const JUMP_MAX_MS = 5 * MINUTE_MS;
/** How long a service may have been stopped without its first sweep waiting. */
const STOPPED_MAX_MS = 24 * HOUR_MS;
/** A time that differs is believed when it has gone on evenly for so long. */
const CONFIRMED_AFTER_MS = HOUR_MS;

/** The time of day, and what a clock said at the same moment that nobody can set. */
interface Moment {
  readonly time: number;
  readonly monotonic: number;
}

export interface ClockGuardParts {
  readonly clock: Clock;
  /** Milliseconds from any beginning, never set: `performance.now`. */
  readonly monotonic: () => number;
  /** The last time that was known to be right, before this process: of the store, or of the service's own note. */
  readonly lastSeen: number | undefined;
  /** Told once for each jump, and when the time is believed again. */
  readonly tell: (event: ClockEvent) => void;
}

export type ClockEvent =
  | { readonly kind: 'jumped'; readonly now: number; readonly expected: number }
  | { readonly kind: 'trusted'; readonly now: number };

/**
 * Whether the time of day can be believed, for what deletes for good because of it. A clock that jumps is not believed
 * until it is back, or until it has gone on evenly for an hour. Decisions go by the clock as it is: what has expired has
 * expired, and what was refused comes back with the time.
 */
export class ClockGuard {
  readonly #parts: ClockGuardParts;
  #right: Moment;
  /** How much later than expected it may be: a stopped service does not know for how long it was. */
  #allowance: number;
  /** Since when another time goes on evenly. */
  #other: Moment | undefined;

  constructor(parts: ClockGuardParts) {
    this.#parts = parts;
    const { time, monotonic } = this.#now();
    this.#right = { time: parts.lastSeen ?? time, monotonic };
    this.#allowance = parts.lastSeen === undefined ? 0 : STOPPED_MAX_MS;
  }

  /** Looks at the clock. Cheap, and to be asked before each step. */
  isTrusted(): boolean {
    const now = this.#now();
    const late = lateness(now, this.#right);
    if (late >= -JUMP_MAX_MS && late <= JUMP_MAX_MS + this.#allowance) return this.#believe(now);
    if (this.#other === undefined || Math.abs(lateness(now, this.#other)) > JUMP_MAX_MS) {
      this.#other = now;
      this.#parts.tell({ kind: 'jumped', now: now.time, expected: now.time - late });
      return false;
    }
    return now.monotonic - this.#other.monotonic >= CONFIRMED_AFTER_MS && this.#believe(now);
  }

  #believe(now: Moment): true {
    if (this.#other !== undefined) this.#parts.tell({ kind: 'trusted', now: now.time });
    this.#right = now;
    this.#allowance = 0;
    this.#other = undefined;
    return true;
  }

  #now(): Moment {
    return { time: this.#parts.clock.now(), monotonic: this.#parts.monotonic() };
  }
}

/** By how much the time of day has moved more than the other clock. */
function lateness(now: Moment, then: Moment): number {
  return now.time - then.time - (now.monotonic - then.monotonic);
}
