/** How often it looks, in milliseconds. */
export const COURTESY_TURN_MS = 100;

/** Answers that waited for a core for more than this share of a turn: long writes give way. */
const PRESSED = 0.01;
/** So many turns without that, and they do so no longer: requests come and go, and each time some would wait again. */
const LASTS = 100;

/** Whether long writes leave a core to the threads that answer requests, because those have waited for one lately. */
export class Courtesy {
  readonly #pressure: () => number;
  #left = 0;

  /** @param pressure share of the time since the last call that a thread with requests waited for a core, 0 to 1 */
  constructor(pressure: () => number) {
    this.#pressure = pressure;
  }

  get isDue(): boolean {
    return this.#left > 0;
  }

  /** Every `COURTESY_TURN_MS`. */
  turn(): void {
    if (this.#pressure() > PRESSED) this.#left = LASTS;
    else if (this.#left > 0) this.#left--;
  }
}
