import type { CommitResult, PackedCommand } from '../../command/command.ts';
import { EngineError, failure, type Outcome } from '../../errors.ts';
import { type Fault, faultOf, hidesAnother, reachOf, refusalOf, untrusted } from '../../fault.ts';
import { ChainWriter } from '../chain/chain-writer.ts';
import {
  ChangeBuffer,
  type CommitNotes,
  type Qualifier,
  type RecordChange,
  SHARED,
  type StoreChange,
  type SuspensionChange,
} from '../change-log.ts';
import type { Tables } from '../environment.ts';
import type { Fence } from '../lock/fence.ts';
import { readPosition, writePosition } from '../log/log-position.ts';
import type { NameTable } from '../name-table.ts';
import { RecordWriter } from '../records/record-writer.ts';
import { UniqueKeys } from '../records/unique-keys.ts';
import { SuspensionWriter } from '../suspended/suspension-writer.ts';
import { applyChange, isIsolated, prepareChange } from './apply.ts';
import { Announcer } from './log/announcer.ts';
import { CommitLog } from './log/commit-log.ts';
import { ownerName } from './log/owner-name.ts';
import { requirePreconditions } from './preconditions.ts';
import type { NewName } from './store-state.ts';
import { StoreStates } from './store-states.ts';
import { TupleWriter } from './tuple-writer.ts';
import type { WriteContext } from './write-context.ts';
import type { Within, WriterOptions } from './writer-options.ts';

const ANY_KEY = Buffer.from('revision');

/**
 * Applies commands, many in one transaction, and answers each once all of them are on disk.
 *
 * A command checks its preconditions and resolves all that it names before its first write, so that a refused one has
 * written nothing. Commands that build on their own writes (a new store and its model) run in a child transaction,
 * which rolls back alone. If a write fails unexpectedly, the whole batch is rolled back and every command runs again
 * in a child transaction of its own: the poisoned one fails alone and wholly. Nothing more is applied after an error
 * that says that the store cannot be trusted, or that another writer has committed.
 */
export class Writer {
  readonly #tables: Tables;
  readonly #fence: Pick<Fence, 'transact'>;
  readonly #names: NameTable;
  readonly #announcer: Announcer;
  readonly #log: CommitLog;
  readonly #chainKey: Uint8Array | undefined;
  readonly #onFault: (fault: Fault) => void;
  readonly #changes = new ChangeBuffer();
  readonly #qualifiers: Record<number, Qualifier> = {};
  readonly #recordChanges: RecordChange[] = [];
  readonly #suspensions: SuspensionChange[] = [];
  readonly #storeChanges: StoreChange[] = [];
  readonly #fresh: NewName[] = [];
  #context: WriteContext;
  /** The revision of the last commit on disk. */
  #durable: number;
  #position: number;
  #refusal: EngineError | undefined;

  constructor(options: WriterOptions) {
    this.#tables = options.tables;
    this.#fence = options.fence;
    this.#names = options.names;
    this.#announcer = new Announcer(options.announced);
    this.#log = new CommitLog(options.tables, options.retention);
    this.#chainKey = options.chainKey;
    this.#onFault = options.onFault;
    this.#context = this.#reload();
    this.#durable = this.revision;
    this.#position = readPosition(this.#tables);
    this.#announcer.committed(this.#durable);
  }

  get revision(): number {
    return this.#log.revision;
  }

  /** The log's position of the last command that was applied and is on disk, whether it succeeded or not. */
  get position(): number {
    return this.#position;
  }

  /**
   * Applies commands at the positions after the last one, which moves with them. `within` belongs to their transaction.
   * Throws `EngineError` if the whole batch failed and nothing of it is applied: `unavailable` if it cannot be stored
   * now (a full disk), `corrupt` if the store cannot be trusted, `fenced` if another writer has committed, `internal`
   * for a bug.
   */
  apply(commands: readonly PackedCommand[], within?: Within): Outcome<CommitResult>[] {
    if (this.#refusal !== undefined) throw this.#refusal;
    let outcomes: Outcome<CommitResult>[];
    try {
      outcomes = this.#applyBatch(commands, within);
    } catch (error) {
      throw this.#failed(error, commands.length);
    }
    for (const { store, name, node } of this.#fresh) this.#names.add(store, name, node);
    this.#fresh.length = 0;
    this.#log.settle();
    this.#context.states.forgetPending();
    this.#durable = this.revision;
    this.#position += commands.length;
    this.#announcer.committed(this.#durable);
    return outcomes;
  }

  /** Whether the last batch could not be stored. */
  get isFailing(): boolean {
    return this.#announcer.isFailing;
  }

  #applyBatch(commands: readonly PackedCommand[], within?: Within): Outcome<CommitResult>[] {
    try {
      return this.#transact(commands, within, (command) => this.#applyPrepared(command));
    } catch (error) {
      if (reachOf(error) !== 'command') throw error;
      // reported here, because it may not occur again when each command runs alone
      if (!(error instanceof EngineError)) this.#onFault(faultOf(error, commands.length));
      this.#fresh.length = 0;
      this.#log.rollBack(0);
      this.#context = this.#reload();
      return this.#transact(commands, within, (command) => this.#applyIsolated(command));
    }
  }

  /** The error for the whole batch. */
  #failed(thrown: unknown, commands: number): EngineError {
    this.#fresh.length = 0;
    this.#log.rollBack(0);
    const error = hidesAnother(thrown) ? this.#reasonOf(thrown) : thrown;
    const fault = faultOf(error, commands);
    if (!(error instanceof EngineError) || fault.reach === 'store') this.#onFault(fault);
    if (fault.reach !== 'command') this.#announcer.failed();
    try {
      if (fault.reach !== 'store') this.#context = this.#reload();
      else this.#refusal = untrusted(fault, error);
    } catch (cause) {
      // memory may still hold state of the batch that was rolled back, so no other batch may be applied
      const unread: Fault = { ...faultOf(cause, 0), reach: 'store' };
      this.#onFault(unread);
      this.#refusal = untrusted(unread, cause);
    }
    if (this.#refusal !== undefined) return this.#refusal;
    return refusalOf(fault, error);
  }

  #transact(
    commands: readonly PackedCommand[],
    within: Within | undefined,
    apply: (command: PackedCommand) => Outcome<CommitResult>,
  ): Outcome<CommitResult>[] {
    return this.#fence.transact(this.#durable, () => {
      const outcomes = commands.map(apply);
      this.#context.records.countings.step();
      this.#flush();
      if (commands.length > 0) writePosition(this.#tables, this.#position + commands.length);
      within?.(outcomes);
      return outcomes;
    });
  }

  #applyPrepared(command: PackedCommand): Outcome<CommitResult> {
    if (command.changes.some(isIsolated)) return this.#applyIsolated(command);
    this.#begin();
    let writes: (() => void)[];
    try {
      writes = this.#prepare(command);
    } catch (error) {
      if (error instanceof EngineError) return failure(error);
      throw error;
    }
    // What fails from here on may have written something, whatever class of error it is.
    for (const write of writes) write();
    return this.#commit(command);
  }

  /** Checks and resolves all of a command, without a write. */
  #prepare(command: PackedCommand): (() => void)[] {
    requirePreconditions(this.#context, command);
    const unique = new UniqueKeys(this.#tables);
    return command.changes.map((change) => prepareChange(this.#context, change, unique));
  }

  /** Only a write shows why storing fails. */
  #reasonOf(error: unknown): unknown {
    try {
      this.#fence.transact(this.#durable, () => this.#log.flush());
      return error;
    } catch (reason) {
      return reason;
    }
  }

  #applyIsolated(command: PackedCommand): Outcome<CommitResult> {
    this.#flush();
    this.#requireGoodTransaction();
    const freshBefore = this.#fresh.length;
    const logBefore = this.#log.checkpoint();
    this.#begin();
    try {
      return this.#tables.root.childTransaction(() => {
        this.#applyAll(command);
        const outcome = this.#commit(command);
        this.#flush();
        return outcome;
      }) as unknown as Outcome<CommitResult>; // typed as a promise; synchronous inside a transaction
    } catch (error) {
      const isOurs = error instanceof EngineError;
      if (!isOurs && reachOf(error) !== 'command') throw error;
      this.#fresh.length = freshBefore;
      this.#log.rollBack(logBefore);
      this.#context = this.#reload();
      if (isOurs) return failure(error);
      this.#onFault(faultOf(error, 1));
      return failure(new EngineError('internal', 'the command failed in the writer', {}, error));
    }
  }

  /** A command that can be prepared is, here too: its outcome must not depend on what else was in its batch. */
  #applyAll(command: PackedCommand): void {
    if (command.changes.some(isIsolated)) {
      requirePreconditions(this.#context, command);
      for (const change of command.changes) applyChange(this.#context, change, command.time);
    } else {
      for (const write of this.#prepare(command)) write();
    }
  }

  /** A failed write reports nothing, but a read after it fails. A child of a bad transaction would end the process. */
  #requireGoodTransaction(): void {
    this.#tables.meta.getBinaryFast(ANY_KEY);
  }

  #begin(): void {
    this.#changes.reset();
    this.#recordChanges.length = 0;
    this.#suspensions.length = 0;
    this.#storeChanges.length = 0;
    for (const key of Object.keys(this.#qualifiers)) delete this.#qualifiers[Number(key)];
  }

  #isOfTuplesAlone(): boolean {
    return this.#recordChanges.length + this.#suspensions.length + this.#storeChanges.length === 0;
  }

  /** Gives the commit its revision and its position in the log. A command that changed nothing gets neither. */
  #commit(command: PackedCommand): Outcome<CommitResult> {
    if (this.#changes.count === 0 && this.#isOfTuplesAlone()) {
      return { ok: true, value: { revision: this.#log.revision, tuplesChanged: 0 } };
    }
    const owner = this.#ownerOf(command);
    const revision = this.#log.append(owner, this.#changes.encode(this.#notes(command), owner));
    return { ok: true, value: { revision, tuplesChanged: this.#changes.count } };
  }

  #ownerOf(command: PackedCommand): number {
    const name = ownerName(command);
    if (name !== undefined) return this.#context.states.find(name)?.number ?? SHARED;
    return this.#isOfTuplesAlone() ? this.#changes.store : SHARED;
  }

  #notes({ id, time }: PackedCommand): CommitNotes {
    const notes: { -readonly [Name in keyof CommitNotes]: CommitNotes[Name] } = { id, time };
    if (this.#changes.isListed && Object.keys(this.#qualifiers).length > 0) notes.qualifiers = this.#qualifiers;
    if (this.#recordChanges.length > 0) notes.records = this.#recordChanges;
    if (this.#suspensions.length > 0) notes.suspensions = this.#suspensions;
    if (this.#storeChanges.length > 0) notes.stores = this.#storeChanges;
    return notes;
  }

  #flush(): void {
    this.#context.states.flush();
    this.#context.chains.flush();
    this.#context.records.flush();
    this.#log.flush();
  }

  /** Forgets everything in memory and starts again from what the environment says. */
  #reload(): WriteContext {
    const records = new RecordWriter(this.#tables, this.#recordChanges);
    return {
      tables: this.#tables,
      log: this.#log,
      states: new StoreStates(this.#tables, this.#names, this.#fresh),
      tuples: new TupleWriter(this.#tables, records.listings, this.#changes, this.#qualifiers),
      records,
      chains: new ChainWriter(this.#tables, records, this.#chainKey),
      suspensions: new SuspensionWriter(this.#tables, this.#suspensions),
      storeChanges: this.#storeChanges,
      changes: this.#changes,
      onFault: this.#onFault,
    };
  }
}
