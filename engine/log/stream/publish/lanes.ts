import { hash } from 'node:crypto';
import type { CommitResult, PackedCommand } from '../../../command/command.ts';
import { encodeCommand } from '../../../command/encoding/command-codec.ts';
import { EngineError } from '../../../errors.ts';
import { ownerName } from '../../../store/write/log/owner-name.ts';
import type { Replayed } from '../replay.ts';
import type { Publisher } from './publisher.ts';
import { noRoom } from './refusals.ts';
import { WaitingBudget } from './waiting-budget.ts';

export interface LanesOptions {
  /** How many streams commands go to; the first one is the log. */
  readonly streams: number;
  readonly open: (stream: number) => Publisher;
  /** Where a store was moved to; undefined where it never was. */
  readonly assigned: (store: string) => number | undefined;
  /** Whether commands may go to another stream than the log now. */
  readonly areUsed: () => boolean;
  /** Of all commands that wait; see `WaitingBudget`. */
  readonly waitingBytesMax?: number | undefined;
}

/** A store with commands that have no answer. */
interface Busy {
  readonly stream: number;
  count: number;
  /** Resolves when all of them have one. */
  readonly idle: Promise<void>;
  readonly settle: () => void;
}

/**
 * A node's ways into the log, one for each stream: so the commands of one stream do not wait behind large ones of another.
 * Commands of one store take the same way. Where the store was moved, they wait until those before them on the old
 * way have their answers: so they are applied in the order in which this node got them.
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes: readonly [Publisher, ...Publisher[]];
  readonly #busy = new Map<string, Busy>();
  /** Commands that wait for those before them on another way: each resolves when its command goes its own. */
  readonly #moving = new Set<Promise<unknown>>();
  readonly #budget: WaitingBudget;
  #isClosed = false;

  constructor(options: LanesOptions) {
    this.#options = options;
    this.#budget = new WaitingBudget(options.streams, options.waitingBytesMax);
    const others = Array.from({ length: options.streams - 1 }, (_, i) => options.open(i + 1));
    this.#lanes = [options.open(0), ...others];
  }

  get pending(): number {
    return this.#lanes.reduce((sum, { pending }) => sum + pending, this.#moving.size);
  }

  get isCutOff(): boolean {
    return this.#lanes.some(({ isCutOff }) => isCutOff);
  }

  /** Of the way that is always used. */
  get silentMs(): number {
    return this.#lanes[0].silentMs;
  }

  /** Which stream the commands of a store go to. */
  streamOf(store: string): number {
    const { streams, assigned, areUsed } = this.#options;
    if (streams === 1 || !areUsed()) return 0;
    const moved = assigned(store);
    return moved !== undefined && moved < streams ? moved : spread(store, streams);
  }

  /** Bytes of the commands of a stream that have no answer. */
  waitingBytes(stream: number): number {
    return this.#budget.bytesOf(stream);
  }

  /** Commands that touch no store, or several, stand in the log itself. */
  async submit(command: PackedCommand, bytes: Uint8Array = encodeCommand(command)): Promise<CommitResult> {
    const store = this.#lanes.length === 1 ? undefined : ownerName(command);
    const stream = store === undefined ? 0 : (this.#busy.get(store)?.stream ?? this.streamOf(store));
    const refused = this.#lane(stream).refusal(bytes.length);
    if (refused !== undefined) throw refused;
    if (!this.#budget.take(stream, bytes.length)) throw noRoom();
    try {
      return await (store === undefined ? this.#lanes[0].submit(bytes) : this.#submitOf(store, bytes));
    } finally {
      this.#budget.give(stream, bytes.length);
    }
  }

  /** Behind all that was submitted here, and in the log behind all that was answered anywhere. */
  async barrier(): Promise<void> {
    if (this.#moving.size > 0) await Promise.all(this.#moving);
    const [first, ...others] = this.#lanes;
    const behind = others.filter(({ isSettled }) => !isSettled);
    await Promise.all([first, ...behind].map((lane) => lane.barrier()));
  }

  /** A message of the way that is always used. */
  hear(): Promise<void> {
    return this.#lanes[0].barrier();
  }

  applied(replayed: Replayed): void {
    for (const lane of this.#lanes) lane.applied(replayed);
  }

  fail(error: EngineError): void {
    for (const lane of this.#lanes) lane.fail(error);
  }

  /** Answers what is pending. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#moving.size > 0) await Promise.all(this.#moving);
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  async #submitOf(store: string, command: Uint8Array): Promise<CommitResult> {
    if (this.#isClosed) throw new EngineError('unavailable', 'the store is closing');
    if (!this.#mustWait(store)) return this.#send(store, command);
    const sent = this.#idle(store).then(() => ({ answer: this.#send(store, command) }));
    this.#moving.add(sent);
    const { answer } = await sent;
    this.#moving.delete(sent);
    return answer;
  }

  async #send(store: string, command: Uint8Array): Promise<CommitResult> {
    const busy = this.#busyOf(store);
    busy.count++;
    try {
      return await this.#lane(busy.stream).submit(command);
    } finally {
      busy.count--;
      if (busy.count === 0) {
        this.#busy.delete(store);
        busy.settle();
      }
    }
  }

  #lane(stream: number): Publisher {
    return this.#lanes[stream] as Publisher; // there is one for each stream
  }

  #mustWait(store: string): boolean {
    const busy = this.#busy.get(store);
    return busy !== undefined && busy.stream !== this.streamOf(store);
  }

  async #idle(store: string): Promise<void> {
    while (this.#mustWait(store)) await this.#busy.get(store)?.idle;
  }

  #busyOf(store: string): Busy {
    const known = this.#busy.get(store);
    if (known !== undefined) return known;
    let settle: (() => void) | undefined;
    const idle = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const busy: Busy = { stream: this.streamOf(store), count: 0, idle, settle: () => settle?.() };
    this.#busy.set(store, busy);
    return busy;
  }
}

/** The same on every node. */
function spread(store: string, streams: number): number {
  return hash('sha256', store, 'buffer').readUInt32BE() % streams;
}
