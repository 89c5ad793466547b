import type { Fault } from '../../fault.ts';
import type { ChainWriter } from '../chain/chain-writer.ts';
import type { ChangeBuffer, StoreChange } from '../change-log.ts';
import type { Tables } from '../environment.ts';
import type { RecordWriter } from '../records/record-writer.ts';
import type { SuspensionWriter } from '../suspended/suspension-writer.ts';
import type { CommitLog } from './log/commit-log.ts';
import type { StoreStates } from './store-states.ts';
import type { TupleWriter } from './tuple-writer.ts';

/** What one transaction has at hand while it applies commands. */
export interface WriteContext {
  readonly tables: Tables;
  readonly log: CommitLog;
  readonly states: StoreStates;
  readonly tuples: TupleWriter;
  readonly records: RecordWriter;
  readonly chains: ChainWriter;
  readonly suspensions: SuspensionWriter;
  readonly storeChanges: StoreChange[];
  readonly changes: ChangeBuffer;
  /** Hears of what a command meets and passes over. */
  readonly onFault: (fault: Fault) => void;
}
