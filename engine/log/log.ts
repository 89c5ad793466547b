import type { CommitResult, PackedCommand } from '../command/command.ts';

/**
 * The ordered command log, in docs/adr/0013-the-contract-of-a-log.md. An implementation appends a command to one total
 * order, applies it, and answers when its outcome is durable. What it promises, `test/engine/log/log-contract.ts` asks of
 * every implementation:
 *
 * - One order for all who submit, whichever way they take. Preconditions are judged where a command stands in it.
 * - Each command is applied once and wholly, or not at all, and what was answered is there after a crash.
 * - An answer tells what became of this command in the store that this thread reads, and comes after it can be seen there.
 *
 * It does not promise that commands submitted at the same time are applied in submission order.
 */
export interface CommandLog {
  /**
   * Resolves once the commit is on disk: here, or in a log that this node reads again. Rejects with `EngineError`: the
   * command failed alone and wholly, or (`unavailable`) it could not be ordered and nothing is known to have been applied.
   * @param encoded the same command as bytes, where the caller has them and `sendsBytes` is true
   */
  submit(command: PackedCommand, encoded?: Uint8Array): Promise<CommitResult>;
  /**
   * Resolves once all is applied here, and is seen by every read that begins after it, that stood in the order before:
   * what was submitted through this log, what was answered to anybody, and what else had reached the order by then. A
   * command that was refused counts as applied.
   * @throws EngineError `unavailable` where this cannot be known: the log is closing, or out of reach
   */
  barrier(): Promise<void>;
  /** Whether commands leave this process as bytes. */
  readonly sendsBytes?: boolean;
  /** Commands accepted and not yet answered. */
  readonly pending: number;
  /** Answers what is pending, refuses what comes after with `unavailable`, and releases the writer. */
  close(): Promise<void>;
}
