interface SentMessage {
  readonly number: number;
  readonly at: number;
}

/** More that have no outcome are not kept: the oldest of them say the least. */
const KEPT_MAX = 1024;

/**
 * Until when a node has heard its log: until it sent the newest of its own messages that it has applied. What others send
 * shows less, because a server that was cut off goes on to deliver what it has. By a clock that only goes forward.
 */
export class Heard {
  #sent: SentMessage[] = [];
  #until = Number.NEGATIVE_INFINITY;

  /** Milliseconds since then. */
  get silentMs(): number {
    return performance.now() - this.#until;
  }

  /** A message is sent for the first time. Numbers go upwards. */
  sent(number: number): void {
    if (this.#sent.length === KEPT_MAX) this.#sent.shift();
    this.#sent.push({ number, at: performance.now() });
  }

  /** A message with this number stands in the log, and is applied with all before it. */
  applied(number: number): void {
    const later = this.#sent.findIndex((each) => each.number > number);
    const gone = this.#sent.splice(0, later === -1 ? this.#sent.length : later);
    this.#until = Math.max(this.#until, gone.at(-1)?.at ?? this.#until);
  }
}
