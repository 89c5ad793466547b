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
 * may pass by up to three ticks. It rests while nobody has a deadline.
 */
export class DeadlineWheel {
  /** Of the last tick, in milliseconds: what deadlines are counted from. */
  now: number = performance.now();
  readonly #slots: Set<Timed>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #background: Background;
  readonly #ticked: () => void;
  readonly #woken: () => void;
  readonly #mayRest: () => boolean;
  #repetition: Repetition | undefined;
  #isStopped = false;
  /** How many stand in the slots. */
  #size = 0;
  /** How many ticks of `TICK_MS` have been seen. */
  #tick = 0;
  readonly #start = this.now;

  /**
   * @param ticked called at each tick
   * @param woken called before the first deadline after a rest
   * @param mayRest whether ticks are needed by nobody, where nobody has a deadline
   */
  constructor(background: Background, ticked = () => {}, woken = () => {}, mayRest = () => true) {
    this.#background = background;
    this.#ticked = ticked;
    this.#woken = woken;
    this.#mayRest = mayRest;
  }

  /** Sets a deadline, earlier or later than the one before. */
  set(timed: Timed, afterMs: number): void {
    if (this.#repetition === undefined) this.#wake();
    this.#until(timed, performance.now() + afterMs);
  }

  /** As `set`, but counted from the last tick: without a look at the clock. */
  postpone(timed: Timed, afterMs: number): void {
    if (this.#repetition === undefined) this.#wake();
    this.#until(timed, this.now + TICK_MS + afterMs);
  }

  #until(timed: Timed, deadline: number): void {
    timed.deadline = deadline;
    if (timed.slot === undefined || timed.due > deadline + TICK_MS) this.#place(timed);
  }

  remove(timed: Timed): void {
    if (timed.slot?.delete(timed)) this.#size--;
    timed.slot = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.#rest();
  }

  #wake(): void {
    if (this.#isStopped) return;
    this.now = performance.now();
    // all slots are empty: none was missed
    this.#tick = this.#tickOf(this.now);
    this.#woken();
    // after what has arrived was read: where the thread stood still, it is not the client who was late
    const background = this.#background;
    const turn = (): void => this.turn(performance.now());
    this.#repetition = background.every('connections', TICK_MS, () => {
      setImmediate(background.guarded('connections', turn));
    });
  }

  #rest(): void {
    void this.#repetition?.stop();
    this.#repetition = undefined;
  }

  /** Expires all whose deadline is over. */
  turn(now: number): void {
    this.now = now;
    this.#ticked();
    const tick = this.#tickOf(now);
    // a thread that stood still for longer than a round sees each slot once
    const first = Math.max(this.#tick + 1, tick - SLOTS + 1);
    for (let passed = first; passed <= tick; passed++) this.#empty(this.#slots[passed % SLOTS] as Set<Timed>);
    this.#tick = tick;
    if (this.#size === 0 && this.#mayRest()) this.#rest();
  }

  #tickOf(now: number): number {
    return Math.floor((now - this.#start) / TICK_MS);
  }

  #empty(slot: Set<Timed>): void {
    if (slot.size === 0) return;
    const all = [...slot];
    slot.clear();
    this.#size -= all.length;
    for (const timed of all) {
      timed.slot = undefined;
      if (timed.deadline > this.now) this.#place(timed);
      else void this.#background.run('connections', () => timed.expire());
    }
  }

  #place(timed: Timed): void {
    this.remove(timed);
    const ticks = Math.ceil((Math.min(timed.deadline, this.now + SLOTS * TICK_MS) - this.now) / TICK_MS) + 1;
    const due = Math.max(this.#tick + 1, this.#tickOf(this.now) + Math.min(ticks, SLOTS - 1));
    timed.slot = this.#slots[due % SLOTS] as Set<Timed>;
    timed.slot.add(timed);
    this.#size++;
    timed.due = this.#start + due * TICK_MS;
  }
}
