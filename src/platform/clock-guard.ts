import type { Clock } from './clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How far the time of day may move against the monotonic clock. */
const JUMP_MAX_MS = 5 * MINUTE_MS;
/** How long a service may have been stopped before its first sweep has to wait. */
const STOPPED_MAX_MS = 24 * HOUR_MS;
/** A different time is trusted when it has run evenly for this long. */
const CONFIRMED_AFTER_MS = HOUR_MS;

/** The time of day, and the monotonic clock at the same moment. */
interface Moment {
  readonly time: number;
  readonly monotonic: number;
}

export interface ClockGuardDependencies {
  readonly clock: Clock;
  /** Milliseconds from any beginning, never set: `performance.now`. */
  readonly monotonic: () => number;
  /** The last time that was known to be right before this process: from the service's own note, or from the store. */
  readonly lastSeen: number | undefined;
  /** Called once for each jump, and when the time is trusted again. */
  readonly tell: (event: ClockEvent) => void;
}

export type ClockEvent =
  | { readonly kind: 'jumped'; readonly now: number; readonly expected: number }
  | { readonly kind: 'trusted'; readonly now: number };

/**
 * Whether the time of day can be trusted, for work that deletes for good because of it. After a jump the clock is not
 * trusted until it is back, or until it has run evenly for an hour. Decisions always use the clock as it is, because a
 * wrong one is right again with the clock.
 */
export class ClockGuard {
  readonly #dependencies: ClockGuardDependencies;
  #right: Moment;
  /** How much later than expected the time may be: a stopped service does not know how long it was stopped. */
  #allowance: number;
  /** Since when a different time has run evenly. */
  #other: Moment | undefined;

  constructor(dependencies: ClockGuardDependencies) {
    this.#dependencies = dependencies;
    const { time, monotonic } = this.#now();
    this.#right = { time: dependencies.lastSeen ?? time, monotonic };
    this.#allowance = dependencies.lastSeen === undefined ? 0 : STOPPED_MAX_MS;
  }

  /** Looks at the clock. It is cheap; ask before each step. */
  isTrusted(): boolean {
    const now = this.#now();
    const late = lateness(now, this.#right);
    if (late >= -JUMP_MAX_MS && late <= JUMP_MAX_MS + this.#allowance) return this.#believe(now);
    if (this.#other === undefined || Math.abs(lateness(now, this.#other)) > JUMP_MAX_MS) {
      this.#other = now;
      this.#dependencies.tell({ kind: 'jumped', now: now.time, expected: now.time - late });
      return false;
    }
    return now.monotonic - this.#other.monotonic >= CONFIRMED_AFTER_MS && this.#believe(now);
  }

  #believe(now: Moment): true {
    if (this.#other !== undefined) this.#dependencies.tell({ kind: 'trusted', now: now.time });
    this.#right = now;
    this.#allowance = 0;
    this.#other = undefined;
    return true;
  }

  #now(): Moment {
    return { time: this.#dependencies.clock.now(), monotonic: this.#dependencies.monotonic() };
  }
}

/** How much further the time of day has moved than the monotonic clock. */
function lateness(now: Moment, then: Moment): number {
  return now.time - then.time - (now.monotonic - then.monotonic);
}
