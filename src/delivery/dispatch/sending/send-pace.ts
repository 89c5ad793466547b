/** How often the pace is set anew, in milliseconds. */
export const PACE_TURN_MS = 100;

/** Answers wait for a core for more than this share of the time: fewer deliveries begin. Below the other: more. */
const PRESSED = 0.04;
const FREE = 0.015;
const SLOWER = 0.5;
const FASTER = 1.2;
/** Attempts of a turn: there are always so many, and beyond the other number nothing is held back. */
const LEAST = 10;
const MOST = 2_000;

/**
 * When an attempt may begin: at once, unless the threads that answer requests wait for a core. Somebody waits for an
 * answer, and a delivery may come a second later. Rises and falls as the congestion window of TCP does.
 */
export class SendPace {
  readonly #pressure: () => number;
  readonly #waiting: (() => void)[] = [];
  #ofTurn = Number.POSITIVE_INFINITY;
  #begun = 0;

  /** @param pressure share of the time since the last call that a thread with requests waited for a core, 0 to 1 */
  constructor(pressure: () => number) {
    this.#pressure = pressure;
  }

  /** Resolves when the attempt may begin, in the order of the calls. */
  async take(): Promise<void> {
    if (this.#begun < this.#ofTurn) this.#begun++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Sets the pace by what was seen since the last turn, and lets the next ones begin. Every `PACE_TURN_MS`. */
  turn(): void {
    const pressure = this.#pressure();
    if (pressure > PRESSED) this.#ofTurn = Math.max(LEAST, SLOWER * Math.min(this.#ofTurn, this.#begun));
    else if (pressure < FREE) this.#ofTurn *= FASTER;
    if (this.#ofTurn > MOST) this.#ofTurn = Number.POSITIVE_INFINITY;
    this.#begin();
  }

  /** Holds nothing back from now on. */
  stop(): void {
    this.#ofTurn = Number.POSITIVE_INFINITY;
    this.#begin();
  }

  #begin(): void {
    const next = this.#waiting.splice(0, this.#ofTurn);
    this.#begun = next.length;
    for (const resolve of next) resolve();
  }
}
