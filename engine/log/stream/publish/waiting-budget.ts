/** Of all commands at a node that have no answer from the log: in bytes, and how many. */
const WAITING_BYTES = 128 * 2 ** 20;
const WAITING_COMMANDS = 40_000;

interface Held {
  bytes: number;
  commands: number;
}

/**
 * One bound for the commands that wait at a node, whichever stream they go to. A stream may hold as much as the others
 * leave free (dynamic thresholds, Choudhury and Hahne 1998): one alone gets half, two that take all they can get a third
 * each. So there is always room for a stream that begins to write, whatever the others hold.
 */
export class WaitingBudget {
  readonly #streams: readonly Held[];
  readonly #all: Held = { bytes: 0, commands: 0 };
  readonly #bytesMax: number;

  constructor(streams: number, bytesMax = WAITING_BYTES) {
    this.#bytesMax = bytesMax;
    this.#streams = Array.from({ length: streams }, () => ({ bytes: 0, commands: 0 }));
  }

  /** What a stream's commands hold. */
  bytesOf(stream: number): number {
    return this.#of(stream).bytes;
  }

  /** Takes room for a command until it has its answer. False where there is none. */
  take(stream: number, bytes: number): boolean {
    const held = this.#of(stream);
    const hasRoom =
      held.bytes + bytes <= this.#bytesMax - this.#all.bytes &&
      held.commands + 1 <= WAITING_COMMANDS - this.#all.commands;
    if (hasRoom) this.#change(stream, bytes, 1);
    return hasRoom;
  }

  give(stream: number, bytes: number): void {
    this.#change(stream, -bytes, -1);
  }

  #change(stream: number, bytes: number, commands: number): void {
    for (const held of [this.#of(stream), this.#all]) {
      held.bytes += bytes;
      held.commands += commands;
    }
  }

  #of(stream: number): Held {
    return this.#streams[stream] as Held; // there is one for each stream
  }
}
