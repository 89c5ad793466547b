import type { Replayed } from '../replay.ts';

/** Messages of so many bytes together share a commit well enough. */
const ENOUGH_BYTES = 64 * 1024;
const WAIT_MS_MAX = 4;
/** Whose last message was applied longer ago than so many commits take is not expected. */
const EXPECTED_COMMITS = 10;
/** After so many waits in a row in which nothing came, none of the next commits waits. */
const VAIN_WAITS = 4;
const RESTING_COMMITS = 64;

/**
 * Group commit of messages. A commit of one message costs nearly as much as one of a message of each node, and under load
 * each node sends its next one when the last is applied: so it is known how many can still come. Messages wait for them once,
 * no longer than the commit before took: behind it they could have waited as long. Where one node alone sends, or nobody
 * sends often, nothing waits.
 */
export class Gathering {
  readonly #now: () => number;
  /** By producer: when its last message was applied. */
  readonly #seen = new Map<string, number>();
  #commitMs = 0;
  #vain = 0;
  #resting = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How long messages of so many bytes wait for others. To be asked once for each commit. */
  waitMs(messages: number, bytes: number): number {
    if (this.isEnough(messages, bytes)) return 0;
    if (this.#resting > 0) {
      this.#resting--;
      return 0;
    }
    return Math.min(Math.round(this.#commitMs), WAIT_MS_MAX);
  }

  /** Whether no other message is waited for. */
  isEnough(messages: number, bytes: number): boolean {
    return bytes >= ENOUGH_BYTES || messages >= this.#expected;
  }

  /** Messages have waited, and so many others came. */
  waited(came: number): void {
    this.#vain = came > 0 ? 0 : this.#vain + 1;
    if (this.#vain < VAIN_WAITS) return;
    this.#vain--; // the next one shows whether it is still so
    this.#resting = RESTING_COMMITS;
  }

  /** Messages were applied, in so many milliseconds. */
  applied(replayed: readonly Replayed[], ms: number): void {
    this.#commitMs = ms;
    const now = this.#now();
    for (const { producer } of replayed) this.#seen.set(Buffer.from(producer).toString('latin1'), now);
  }

  /** How many producers send now: each has one message under way at most. */
  get #expected(): number {
    const since = this.#now() - EXPECTED_COMMITS * this.#commitMs;
    for (const [producer, at] of this.#seen) if (at < since) this.#seen.delete(producer);
    return this.#seen.size;
  }
}
