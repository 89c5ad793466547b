import type { CommitResult } from '../../command/command.ts';
import type { Outcome } from '../../errors.ts';
import type { Fault } from '../../fault.ts';
import type { Tables } from '../environment.ts';
import type { Fence } from '../lock/fence.ts';
import type { NameTable } from '../name-table.ts';
import type { LogRetention } from './log/commit-log.ts';

export interface WriterOptions {
  readonly tables: Tables;
  readonly fence: Pick<Fence, 'transact'>;
  readonly names: NameTable;
  /** Shared with every reader: see `Announcer`. */
  readonly announced: Int32Array;
  readonly retention: LogRetention;
  /** Makes the links of chains. Without it nothing is put on a chain. */
  readonly chainKey: Uint8Array | undefined;
  /** Called for every error that the engine did not throw itself, with its cause. */
  readonly onFault: (fault: Fault) => void;
}

/** Writes in the transaction of a batch, after its commands, given what becomes of them. May run twice. */
export type Within = (outcomes: readonly Outcome<CommitResult>[]) => void;
