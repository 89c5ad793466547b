import { EngineError, failure, type Outcome } from '../../errors.ts';
import type { CommitResult, PackedCommand } from '../../log/command.ts';
import { ChainWriter } from '../chain/chain-writer.ts';
import {
  ChangeBuffer,
  type CommitNotes,
  type Qualifier,
  type RecordChange,
  type StoreChange,
  type SuspensionChange,
} from '../change-log.ts';
import type { Tables } from '../environment.ts';
import { pack, readRevision, revisionKey, unpack } from '../layout.ts';
import type { NameTable } from '../name-table.ts';
import { SuspensionWriter } from '../suspended/suspension-writer.ts';
import { applyChange, isIsolated, prepareChange } from './apply.ts';
import { requirePreconditions } from './preconditions.ts';
import { RecordWriter } from './record-writer.ts';
import type { NewName } from './store-state.ts';
import { StoreStates } from './store-states.ts';
import { TupleWriter } from './tuple-writer.ts';
import { UniqueKeys } from './unique-keys.ts';
import type { WriteContext } from './write-context.ts';

const REVISION = Buffer.from('revision');
const LOG_BYTES = Buffer.from('log-bytes');
const LOG_OLDEST = Buffer.from('log-oldest');

/** How much of the change log is kept; whichever bound is passed first drops the oldest commits. */
export interface LogRetention {
  readonly commitsMax: number;
  readonly bytesMax: number;
}

export interface WriterOptions {
  readonly tables: Tables;
  readonly names: NameTable;
  /** Shared with every reader: the low 32 bits of the last durable revision. */
  readonly announced: Int32Array;
  readonly retention: LogRetention;
  /** Makes the links of chains. Without it nothing is put on a chain. */
  readonly chainKey: Uint8Array | undefined;
}

/**
 * Applies commands, many in one transaction, and answers each once all of them are on disk.
 *
 * A command checks its preconditions and resolves all that it names before its first write, so that a refused one has
 * written nothing. Commands that build on their own writes (a new store and its model) run in a child transaction,
 * which rolls back alone. If a write fails unexpectedly, the whole batch is rolled back and every command runs again
 * in a child transaction of its own: the poisoned one fails alone and wholly.
 */
export class Writer {
  readonly #tables: Tables;
  readonly #names: NameTable;
  readonly #announced: Int32Array;
  readonly #retention: LogRetention;
  readonly #chainKey: Uint8Array | undefined;
  readonly #changes = new ChangeBuffer();
  readonly #qualifiers: Record<number, Qualifier> = {};
  readonly #recordChanges: RecordChange[] = [];
  readonly #suspensions: SuspensionChange[] = [];
  readonly #storeChanges: StoreChange[] = [];
  readonly #fresh: NewName[] = [];
  #context: WriteContext;
  #revision = 0;
  #oldest = 0;
  #logBytes = 0;

  constructor(options: WriterOptions) {
    this.#tables = options.tables;
    this.#names = options.names;
    this.#announced = options.announced;
    this.#retention = options.retention;
    this.#chainKey = options.chainKey;
    this.#context = this.#reload();
  }

  get revision(): number {
    return this.#revision;
  }

  /** Throws only where the storage itself fails (disk full, damaged file): nothing of the batch is then applied. */
  apply(commands: readonly PackedCommand[]): Outcome<CommitResult>[] {
    let outcomes: Outcome<CommitResult>[];
    try {
      outcomes = this.#transact(commands, (command) => this.#applyPrepared(command));
    } catch {
      this.#fresh.length = 0;
      this.#context = this.#reload();
      try {
        outcomes = this.#transact(commands, (command) => this.#applyIsolated(command));
      } catch (error) {
        this.#fresh.length = 0;
        this.#context = this.#reload();
        throw error;
      }
    }
    for (const { store, name, node } of this.#fresh) this.#names.add(store, name, node);
    this.#fresh.length = 0;
    this.#context.states.forgetPending();
    Atomics.store(this.#announced, 0, this.#revision | 0);
    return outcomes;
  }

  #transact(
    commands: readonly PackedCommand[],
    apply: (command: PackedCommand) => Outcome<CommitResult>,
  ): Outcome<CommitResult>[] {
    return this.#tables.root.transactionSync(() => {
      const outcomes = commands.map(apply);
      this.#flush();
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

  #applyIsolated(command: PackedCommand): Outcome<CommitResult> {
    this.#flush();
    const freshBefore = this.#fresh.length;
    this.#begin();
    try {
      return this.#tables.root.childTransaction(() => {
        this.#applyAll(command);
        const outcome = this.#commit(command);
        this.#flush();
        return outcome;
      }) as unknown as Outcome<CommitResult>; // typed as a promise; synchronous inside a transaction
    } catch (error) {
      this.#fresh.length = freshBefore;
      this.#context = this.#reload();
      const known = error instanceof EngineError;
      return failure(known ? error : new EngineError('invalid_argument', `the command cannot be applied: ${error}`));
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

  #begin(): void {
    this.#changes.reset();
    this.#recordChanges.length = 0;
    this.#suspensions.length = 0;
    this.#storeChanges.length = 0;
    for (const key of Object.keys(this.#qualifiers)) delete this.#qualifiers[Number(key)];
  }

  #isClean(): boolean {
    const others = [this.#recordChanges, this.#suspensions, this.#storeChanges];
    return this.#changes.count === 0 && others.every(({ length }) => length === 0);
  }

  /** Gives the commit its revision and its place in the log. A command that changed nothing gets neither. */
  #commit(command: PackedCommand): Outcome<CommitResult> {
    if (this.#isClean() && command.events === undefined) {
      return { ok: true, value: { revision: this.#revision, tuplesChanged: 0 } };
    }
    const entry = this.#changes.encode(this.#notes(command));
    const revision = this.#revision + 1;
    this.#tables.log.putSync(revisionKey(revision), entry, { append: true });
    this.#revision = revision;
    this.#logBytes += entry.length;
    this.#trimLog();
    return { ok: true, value: { revision, tuplesChanged: this.#changes.count } };
  }

  #notes({ id, time, events }: PackedCommand): CommitNotes {
    const notes: { -readonly [Name in keyof CommitNotes]: CommitNotes[Name] } = { id, time };
    if (this.#changes.isListed && Object.keys(this.#qualifiers).length > 0) notes.qualifiers = this.#qualifiers;
    if (this.#recordChanges.length > 0) notes.records = this.#recordChanges;
    if (this.#suspensions.length > 0) notes.suspensions = this.#suspensions;
    if (this.#storeChanges.length > 0) notes.stores = this.#storeChanges;
    if (events !== undefined) notes.events = events;
    return notes;
  }

  /** A few commits at a time, so that no single one pays for many. */
  #trimLog(): void {
    for (let i = 0; i < 4 && this.#oldest < this.#revision; i++) {
      const kept = this.#revision - this.#oldest + 1;
      if (kept <= this.#retention.commitsMax && this.#logBytes <= this.#retention.bytesMax) return;
      const key = revisionKey(this.#oldest);
      this.#logBytes -= this.#tables.log.getBinaryFast(key)?.length ?? 0;
      this.#tables.log.removeSync(key);
      this.#oldest++;
    }
  }

  #flush(): void {
    this.#context.states.flush();
    this.#context.chains.flush();
    this.#context.records.flush();
    this.#tables.meta.putSync(REVISION, revisionKey(this.#revision));
    this.#tables.meta.putSync(LOG_OLDEST, revisionKey(this.#oldest));
    this.#tables.meta.putSync(LOG_BYTES, pack(this.#logBytes));
  }

  /** Forgets everything in memory and starts again from what the environment says. */
  #reload(): WriteContext {
    const revision = this.#tables.meta.getBinaryFast(REVISION);
    this.#revision = revision === undefined ? 0 : readRevision(revision);
    const oldest = this.#tables.meta.getBinaryFast(LOG_OLDEST);
    this.#oldest = oldest === undefined ? 1 : readRevision(oldest);
    const logBytes = this.#tables.meta.getBinaryFast(LOG_BYTES);
    this.#logBytes = logBytes === undefined ? 0 : unpack<number>(logBytes);
    const records = new RecordWriter(this.#tables, this.#recordChanges);
    return {
      tables: this.#tables,
      states: new StoreStates(this.#tables, this.#names, this.#fresh),
      tuples: new TupleWriter(this.#tables, this.#changes, this.#qualifiers),
      records,
      chains: new ChainWriter(this.#tables, records, this.#chainKey),
      suspensions: new SuspensionWriter(this.#tables, this.#suspensions),
      storeChanges: this.#storeChanges,
      changes: this.#changes,
    };
  }
}
