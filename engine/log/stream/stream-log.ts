import { setTimeout as sleep } from 'node:timers/promises';
import type { CommitResult, PackedCommand } from '../../command/command.ts';
import { EngineError, knownError } from '../../errors.ts';
import type { CommandLog } from '../log.ts';
import { CarriedMessages } from './carried/carried-messages.ts';
import type { Assignment } from './carried/carried-reference.ts';
import { publishMove, requireMovable } from './carried/move.ts';
import type { SeenNode, StreamStatus } from './carried/stream-status.ts';
import { StreamWays } from './carried/stream-ways.ts';
import { messageMissing } from './history-errors.ts';
import { OWN_FORMATS, STREAMS_SINCE } from './log-format.ts';
import type { MessageStream, Reading } from './message-stream.ts';
import type { Lanes } from './publish/lanes.ts';
import { openLanes } from './publish/open-lanes.ts';
import { ReceivedMessages } from './receive/received-messages.ts';
import { requireSameBeside, requireSameHistory } from './receive/same-history.ts';
import { Replay, type ReplayOptions } from './replay.ts';

export interface StreamLogOptions extends Pick<ReplayOptions, 'tables' | 'writer'> {
  readonly stream: MessageStream;
  /** To how many streams commands go; the first one is the log. */
  readonly streams?: number;
  /** Smaller messages stand in the log itself. */
  readonly carriedBytesMin?: number;
  /** Of commands without an answer, for all streams together. */
  readonly waitingBytesMax?: number;
  /** See `agreeOn`. */
  readonly format?: number;
  /** How long a command may wait for its answer. */
  readonly waitMs?: number;
  /** How long until what failed is tried again; longer after each failure in a row. */
  readonly retryMs?: number;
  /** Told what goes on: `facts` are plain data. */
  readonly onNotice?: (notice: StreamNotice) => void;
  /** Called once, when this node can no longer follow the log. Nothing is applied or taken from then on. */
  readonly onStop?: (error: EngineError) => void;
}

export interface StreamNotice {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const WAIT_MS = 10_000;
const RETRY_MS = 200;
const RETRY_MAX_MS = 5000;

/** A node sends at least one message in this time. */
const HEAR_MS = 4000;
/** How often a message may be missing in a row before it is given up. */
const GAPS_MAX = 8;

/**
 * The command log of a cluster: commands are published to a stream, and every node applies the stream's messages in order
 * to its own store. This node answers a command when it has applied it itself.
 */
export class StreamLog implements CommandLog {
  readonly sendsBytes = true;
  readonly #stream: MessageStream;
  readonly #options: StreamLogOptions;
  readonly #retryMs: number;
  readonly #replay: Replay;
  readonly #lanes: Lanes;
  readonly #carried: CarriedMessages;
  readonly #received: ReceivedMessages;
  readonly #ways: StreamWays;
  #last = 0;
  #format: number | undefined;
  #known: readonly SeenNode[] = [];
  #reading: Reading | undefined;
  readonly #closing = new AbortController();
  #stopped: EngineError | undefined;
  /** Whether the last message that came was not the next one. */
  #isGap = false;
  #broken: ((reason: string) => void) | undefined;
  #following: Promise<void> = Promise.resolve();

  private constructor(options: StreamLogOptions) {
    const { stream, tables, writer, waitMs = WAIT_MS, retryMs = RETRY_MS } = options;
    this.#stream = stream;
    this.#options = options;
    this.#replay = new Replay({ tables, writer, log: stream.log });
    this.#lanes = openLanes({
      ...options,
      waitMs,
      retryMs,
      replay: this.#replay,
      format: () => this.#format,
      notice: (message, facts) => this.#notice('warn', message, facts),
      onSetBack: (error) => this.#stop(error),
    });
    this.#ways = new StreamWays(stream, this.#replay.uses, options.streams ?? 1);
    const applied = (): number => this.#replay.progress.sequence;
    this.#carried = new CarriedMessages({ stream, retryMs, signal: this.#closing.signal, applied });
    this.#received = new ReceivedMessages({
      replay: this.#replay,
      carried: this.#carried,
      hasEnded: () => this.#hasEnded,
      onApplied: (replayed) => this.#lanes.applied(replayed),
      onFailed: (error) => {
        if (!this.#hasEnded) this.#failed(error);
      },
      onFull: () => this.#broken?.('messages of other streams are waited for'),
    });
    this.#retryMs = retryMs;
    this.#format = options.format;
  }

  /**
   * Resolves when this node has applied what stood in the log.
   * @throws EngineError `corrupt`, `log_gap` where this node's data does not fit the log; `unavailable`
   */
  static async open(options: StreamLogOptions): Promise<StreamLog> {
    const log = new StreamLog(options);
    try {
      await requireSameHistory(options.stream, log.#replay, log.#retryMs);
      const { last } = await options.stream.ends();
      log.#following = log.#follow();
      await log.#caughtUp(last);
    } catch (error) {
      await log.close();
      throw error;
    }
    return log;
  }

  get pending(): number {
    return this.#lanes.pending;
  }

  get #hasEnded(): boolean {
    return this.#stopped !== undefined || this.#closing.signal.aborted;
  }

  status(): StreamStatus {
    const { sequence, state } = this.#replay.progress;
    const isReading = this.#reading !== undefined;
    const behind = Math.max(0, this.#last - sequence);
    const { isCutOff, silentMs } = this.#lanes;
    const log = { sequence, behind, isAnswering: !isCutOff };
    const ways = this.#ways.told(log, (stream) => this.#lanes.waitingBytes(stream));
    const told = { sequence, behind, formats: OWN_FORMATS, streams: ways.length, ways, state: state.toString('hex') };
    return { ...told, isReading, isWritable: !isCutOff, silentMs, known: this.#known };
  }

  /** From now on, all nodes read this format of messages, and nothing newer is written. Before, nothing is known of them. */
  agreeOn(format: number): void {
    this.#format = format;
  }

  /** Nodes that were seen, for `status`. */
  know(nodes: readonly SeenNode[]): void {
    this.#known = nodes;
  }

  /** Asks the streams where they end, for `status`. Where one beside the log has lost what is applied here, this node stops. */
  async look(): Promise<void> {
    this.#last = (await this.#stream.ends()).last;
    const seen = await this.#ways.look();
    await requireSameBeside(this.#stream, this.#replay, this.#retryMs, seen).catch(
      (error: unknown) => this.#hasEnded || this.#failed(error),
    );
  }

  /** To be called often: sends a message without commands where none of this node's own was applied for a while. */
  hear(): void {
    if (this.#lanes.silentMs < HEAR_MS) return;
    this.#lanes.hear().catch(() => {}); // then it stays silent, which `status` tells
  }

  submit(command: PackedCommand, encoded?: Uint8Array): Promise<CommitResult> {
    return this.#lanes.submit(command, encoded);
  }

  /** By a message of its own: a server that was cut off and does not know it yet would tell an end that is too old. */
  barrier(): Promise<void> {
    return this.#lanes.barrier();
  }

  /** The stream that the commands of a store go to. */
  streamOf(store: string): number {
    return this.#lanes.streamOf(store);
  }

  /**
   * Sends the commands of a store to another stream from now on. Resolves when this node does; others do when they have
   * applied as much.
   * @throws EngineError `invalid_argument`, `unknown_store`, `unavailable`
   */
  async move(store: string, stream: number): Promise<void> {
    this.requireMovable({ store, stream });
    await publishMove(this.#stream, { store, stream }, this.#replay.progress);
    await this.barrier();
  }

  /** @throws as `move`, where it is known before */
  requireMovable(assignment: Assignment): void {
    const { streams = 1, tables } = this.#options;
    requireMovable(assignment, { tables, streams, isRead: (this.#format ?? 0) >= STREAMS_SINCE });
  }

  async close(): Promise<void> {
    if (this.#stopped === undefined && this.#reading !== undefined) await this.#lanes.close();
    this.#closing.abort();
    this.#lanes.fail(new EngineError('unavailable', 'the store is closing'));
    this.#carried.close();
    this.#broken?.('the log is closed');
    await this.#following;
    await this.#stream.close();
  }

  /** Reads the stream from where the store is, again and again, until this log is closed or stopped. */
  async #follow(): Promise<void> {
    let failures = 0;
    while (!this.#hasEnded) {
      const before = this.#replay.progress.sequence;
      const reason = await this.#readOn();
      if (this.#hasEnded) return;
      failures = this.#replay.progress.sequence > before ? 0 : failures + 1;
      if (failures > GAPS_MAX && this.#isGap) this.#stop(messageMissing(this.#replay.progress));
      const waitMs = Math.min(RETRY_MAX_MS, this.#retryMs * 2 ** Math.min(failures, 10));
      this.#notice('warn', 'reading the log was interrupted', { reason, waitMs });
      await sleep(waitMs, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {});
      while (this.#received.isApplying && !this.#hasEnded) await sleep(this.#retryMs, undefined, { ref: false });
    }
  }

  /** Answers why it ended. */
  async #readOn(): Promise<string> {
    this.#isGap = false;
    const broken = new Promise<string>((resolve) => {
      this.#broken = resolve;
    });
    let hasEnded = false;
    const read = async (): Promise<string> => {
      await requireSameHistory(this.#stream, this.#replay, this.#retryMs);
      const from = this.#replay.progress.sequence + 1;
      const reading = await this.#stream.read(from, (message) => {
        if (!hasEnded) this.#received.add(message);
      });
      if (hasEnded) reading.stop();
      else this.#reading = reading;
      return reading.ended;
    };
    const reason = await Promise.race([read().catch((error: unknown) => this.#failed(error)), broken]);
    hasEnded = true;
    this.#reading?.stop();
    this.#reading = undefined;
    this.#received.clear();
    return reason;
  }

  /** What cannot be applied now is read again later. What can never be ends this node's part in the log. */
  #failed(error: unknown): string {
    const known = knownError(error);
    this.#isGap = known.code === 'log_gap';
    if (this.#isGap || known.code === 'unavailable') this.#broken?.(known.message);
    else this.#stop(known);
    return known.message;
  }

  #stop(error: EngineError): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = error;
    this.#lanes.fail(error);
    this.#broken?.(error.message);
    this.#options.onStop?.(error);
  }

  async #caughtUp(last: number): Promise<void> {
    for (let shown = performance.now(); this.#replay.progress.sequence < last; ) {
      if (this.#stopped !== undefined) throw this.#stopped;
      await sleep(10);
      if (performance.now() - shown < 5000) continue;
      shown = performance.now();
      const { sequence } = this.#replay.progress;
      this.#notice('info', 'catching up with the log', { sequence, last });
    }
  }

  #notice(level: StreamNotice['level'], message: string, facts: StreamNotice['facts']): void {
    this.#options.onNotice?.({ level, message, facts });
  }
}
