import type { Background, Repetition } from '../../../../platform/index.ts';

/** Something with a time by which it must have gone on. */
export interface Timed {
  /** Of the wheel's clock; `Infinity` for none. Set by `set` and `postpone`. */
  deadline: number;
  /** The slot in which it stands. */
  slot: Set<Timed> | undefined;
  /** When that slot is due. */
  due: number;
  expire(): void;
}

const TICK_MS = 100;
/** Longer times stand in the last slot, and then go round again. */
const SLOTS = 128;

/**
 * Time limits by a wheel of slots (Varghese and Lauck, 1987, scheme 6 with one round): one timer for all of them. To
 * postpone a deadline is one assignment; whoever's slot is due before its deadline is put into a later one. A deadline
 * may pass by up to three ticks.
 */
export class DeadlineWheel {
  /** Of the last tick, in milliseconds: what deadlines are counted from. */
  now: number = performance.now();
  readonly #slots: Set<Timed>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #repetition: Repetition;
  readonly #background: Background;
  readonly #ticked: () => void;
  /** How many ticks of `TICK_MS` have been seen. */
  #tick = 0;
  readonly #start = this.now;

  /** @param ticked called at each tick */
  constructor(background: Background, ticked: () => void = () => {}) {
    this.#background = background;
    this.#ticked = ticked;
    // after what has arrived was read: where the thread stood still, it is not the client who was late
    const turn = (): void => this.turn(performance.now());
    this.#repetition = background.every('connections', TICK_MS, () => {
      setImmediate(background.guarded('connections', turn));
    });
  }

  /** Sets a deadline, earlier or later than the one before. */
  set(timed: Timed, afterMs: number): void {
    this.#until(timed, performance.now() + afterMs);
  }

  /** As `set`, but counted from the last tick: without a look at the clock. */
  postpone(timed: Timed, afterMs: number): void {
    this.#until(timed, this.now + TICK_MS + afterMs);
  }

  #until(timed: Timed, deadline: number): void {
    timed.deadline = deadline;
    if (timed.slot === undefined || timed.due > deadline + TICK_MS) this.#place(timed);
  }

  remove(timed: Timed): void {
    timed.slot?.delete(timed);
    timed.slot = undefined;
  }

  stop(): void {
    void this.#repetition.stop();
  }

  /** Expires all whose deadline is over. */
  turn(now: number): void {
    this.now = now;
    this.#ticked();
    const tick = Math.floor((now - this.#start) / TICK_MS);
    // a thread that stood still for longer than a round sees each slot once
    const first = Math.max(this.#tick + 1, tick - SLOTS + 1);
    for (let passed = first; passed <= tick; passed++) this.#empty(this.#slots[passed % SLOTS] as Set<Timed>);
    this.#tick = tick;
  }

  #empty(slot: Set<Timed>): void {
    if (slot.size === 0) return;
    const all = [...slot];
    slot.clear();
    for (const timed of all) {
      timed.slot = undefined;
      if (timed.deadline > this.now) this.#place(timed);
      else void this.#background.run('connections', () => timed.expire());
    }
  }

  #place(timed: Timed): void {
    timed.slot?.delete(timed);
    const ticks = Math.ceil((Math.min(timed.deadline, this.now + SLOTS * TICK_MS) - this.now) / TICK_MS) + 1;
    const due = Math.max(this.#tick + 1, Math.floor((this.now - this.#start) / TICK_MS) + Math.min(ticks, SLOTS - 1));
    timed.slot = this.#slots[due % SLOTS] as Set<Timed>;
    timed.slot.add(timed);
    timed.due = this.#start + due * TICK_MS;
  }
}
