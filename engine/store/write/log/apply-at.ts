import type { CommitResult, PackedCommand } from '../../../command/command.ts';
import { EngineError, type Outcome } from '../../../errors.ts';

/** What applies commands at the positions after its own, and moves its position in the same transaction: the `Writer`. */
export interface Positioned {
  /** The log's position of the last command that was applied. */
  readonly position: number;
  apply(commands: readonly PackedCommand[]): Outcome<CommitResult>[];
}

/**
 * Applies commands of a log that stand there from the position `first` on, each command once: those that were applied
 * before are passed over, and have no outcome. After a crash the log can be read from any position up to the stored one.
 * @throws EngineError `log_gap` where commands before the first are missing, `invalid_argument`, and as `Writer.apply`
 */
export function applyAt(
  writer: Positioned,
  first: number,
  commands: readonly PackedCommand[],
): (Outcome<CommitResult> | undefined)[] {
  if (!Number.isSafeInteger(first) || first < 1) {
    throw new EngineError('invalid_argument', 'a position in the log is a whole number from 1', { path: 'first' });
  }
  const { position } = writer;
  const applied = position + 1 - first;
  if (applied < 0) {
    const reason = `a batch from position ${first} cannot be applied: the command at ${position + 1} is missing`;
    throw new EngineError('log_gap', reason, { position, first });
  }
  const passed = commands.slice(0, applied).map(() => undefined);
  const fresh = commands.slice(applied);
  return fresh.length === 0 ? passed : [...passed, ...writer.apply(fresh)];
}
