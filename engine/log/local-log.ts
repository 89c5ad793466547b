import type { CommitResult, PackedCommand } from '../command/command.ts';
import { EngineError, type Outcome, unwrap } from '../errors.ts';
import type { GroupCommit } from './group-commit.ts';
import type { CommandLog } from './log.ts';

/** Applies commands in order and answers when they are durable; `Writer` is the real one. */
export interface Applier {
  apply(commands: readonly PackedCommand[]): Outcome<CommitResult>[];
}

interface Waiting {
  readonly command: PackedCommand;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Barrier {
  /** How many of all commands stand before it. */
  readonly after: number;
  readonly resolve: () => void;
}

const BATCH_MAX = 512;

/**
 * The command log of a single node: the writer's own order is the log. What is submitted while a batch is being
 * flushed forms the next one, so that the cost of a flush is shared by all who wait for it.
 */
export class LocalLog implements CommandLog {
  readonly #applier: Applier;
  readonly #groups: GroupCommit | undefined;
  #waiting: Waiting[] = [];
  readonly #barriers: Barrier[] = [];
  /** Commands that have an outcome, whatever it is. */
  #applied = 0;
  #isScheduled = false;
  #isClosed = false;

  /** @param groups where this thread may wait for more commands */
  constructor(applier: Applier, groups?: GroupCommit) {
    this.#applier = applier;
    this.#groups = groups;
  }

  get pending(): number {
    return this.#waiting.length;
  }

  submit(command: PackedCommand): Promise<CommitResult> {
    if (this.#isClosed) return Promise.reject(new EngineError('unavailable', 'the store is closing'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, resolve, reject });
      this.#schedule();
    });
  }

  /** What has been applied is visible at once, so that only what waits is waited for. */
  barrier(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new EngineError('unavailable', 'the store is closing'));
    if (this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#barriers.push({ after: this.#applied + this.#waiting.length, resolve });
    });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting.length > 0) this.#drain();
    return Promise.resolve();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      // what has come meanwhile is received before the next turn
      if (this.#groups?.wait(this.#waiting.length)) setImmediate(() => this.#turn());
      else this.#turn();
    });
  }

  #turn(): void {
    this.#isScheduled = false;
    const from = performance.now();
    const count = this.#drain();
    if (count > 0) this.#groups?.flushed(count, performance.now() - from);
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Applies the next batch. Answers how many commands it had. */
  #drain(): number {
    const batch = this.#waiting.slice(0, BATCH_MAX);
    this.#waiting = this.#waiting.slice(BATCH_MAX);
    if (batch.length === 0) return 0;
    this.#apply(batch);
    this.#applied += batch.length;
    while ((this.#barriers[0]?.after ?? Number.POSITIVE_INFINITY) <= this.#applied) this.#barriers.shift()?.resolve();
    return batch.length;
  }

  #apply(batch: readonly Waiting[]): void {
    let outcomes: Outcome<CommitResult>[];
    try {
      outcomes = this.#applier.apply(batch.map(({ command }) => command));
    } catch (error) {
      const isOurs = error instanceof EngineError;
      const failed = isOurs
        ? error
        : new EngineError('unavailable', `the store cannot be written to: ${error}`, {}, error);
      for (const { reject } of batch) reject(failed);
      return;
    }
    batch.forEach(({ resolve, reject }, i) => {
      try {
        resolve(unwrap(outcomes[i] as Outcome<CommitResult>));
      } catch (error) {
        reject(error);
      }
    });
  }
}
