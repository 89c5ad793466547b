import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change, Command, CommitResult, ModelWrite } from '../../../engine/command/command.ts';
import { packCommand } from '../../../engine/command/pack-command.ts';
import { Engine } from '../../../engine/engine.ts';
import type { Outcome } from '../../../engine/errors.ts';
import type { Fault } from '../../../engine/fault.ts';
import { LocalLog } from '../../../engine/log/local-log.ts';
import { modelToJson, parseModel } from '../../../engine/model/index.ts';
import { modelKinds } from '../../../engine/read/model-change.ts';
import { allocateShared, type OpenedWriter, openWriter } from '../../../engine/store/open-writer.ts';
import { type VerifyReport, verifyStore } from '../../../engine/store/verify/verify.ts';
import type { LogRetention } from '../../../engine/store/write/log/commit-log.ts';
import { formatTuple } from '../../../engine/tuple.ts';
import { TableRows } from './table-rows.ts';

/** Milliseconds since the epoch: the time of every command that names no other. */
export const TIME = 1_700_000_000_000;

const RETENTION: LogRetention = { commitsMax: 1e6, bytesMax: 1e9, storeBytesMax: 1e9 };

export function modelOf(id: string, dsl: string): ModelWrite {
  const source = { dsl };
  const model = parseModel(source);
  return { id, source, json: modelToJson(model), kinds: modelKinds(model) };
}

export const MODEL = modelOf(
  'm1',
  `model
  schema 1.1
type user
type group
  relations
    define member: [user, group#member]
type doc
  relations
    define viewer: [user, user:*, group#member, user with recent]
    define owner: [user]
condition recent(age: int) {
  age < 10
}
`,
);

/** The changes that make a store with that model. */
export function storeOf(store: string): Change[] {
  return [
    { op: 'create_store', store },
    { op: 'write_model', store, model: MODEL },
  ];
}

/** A writer in a folder of its own, and an engine in the same thread that reads what it wrote. */
export class ScratchStore {
  readonly path: string;
  readonly writer: OpenedWriter;
  readonly engine: Engine;
  #commands = 0;

  private constructor(path: string, writer: OpenedWriter, engine: Engine) {
    this.path = path;
    this.writer = writer;
    this.engine = engine;
  }

  static open(retention: Partial<LogRetention> = {}, onFault?: (fault: Fault) => void): Promise<ScratchStore> {
    return ScratchStore.#openIn(mkdtempSync(join(tmpdir(), 'relata-store-')), retention, onFault);
  }

  static async #openIn(
    path: string,
    retention: Partial<LogRetention>,
    onFault?: (fault: Fault) => void,
  ): Promise<ScratchStore> {
    const shared = allocateShared(2 ** 16);
    const writer = openWriter({ path, shared, retention: { ...RETENTION, ...retention } }, onFault);
    const log = new LocalLog(writer.writer);
    const engine = await Engine.open({ path, joined: { shared, log }, cacheBytes: 2 ** 20, clock: () => TIME });
    return new ScratchStore(path, writer, engine);
  }

  /** With the store `s` and its model in it, at revision 1. */
  static async openModelled(
    retention: Partial<LogRetention> = {},
    onFault?: (fault: Fault) => void,
  ): Promise<ScratchStore> {
    const scratch = await ScratchStore.open(retention, onFault);
    scratch.apply(storeOf('s'));
    return scratch;
  }

  /** The same folder with nothing kept in memory. This one is closed then. */
  async reopen(retention: Partial<LogRetention> = {}): Promise<ScratchStore> {
    await this.#release();
    return ScratchStore.#openIn(this.path, retention);
  }

  /** A command of its own for each list of changes, all in one batch. */
  batch(...commands: readonly (readonly Change[])[]): Outcome<CommitResult>[] {
    return this.run(commands.map((changes) => this.command(changes)));
  }

  /** One command, alone, that must succeed. */
  apply(changes: readonly Change[], more: Partial<Command> = {}): CommitResult {
    const [outcome] = this.run([{ ...this.command(changes), ...more }]);
    if (outcome?.ok !== true) throw new Error(`refused: ${outcome?.code}: ${outcome?.message}`);
    return outcome.value;
  }

  run(commands: readonly Command[]): Outcome<CommitResult>[] {
    return this.writer.writer.apply(commands.map(packCommand));
  }

  command(changes: readonly Change[]): Command {
    return { id: `c${this.#commands++}`, time: TIME, changes };
  }

  /** All tuples of a store as text, each with its condition and expiry where it has one, sorted. */
  tuples(store = 's'): string[] {
    const { tuples } = this.engine.store(store).readTuples({ limit: 10_000 });
    return tuples
      .map(({ condition, expiresAt, ...tuple }) => {
        const name =
          condition === undefined ? '' : ` with ${condition.name} ${JSON.stringify(condition.context ?? {})}`;
        return `${formatTuple(tuple)}${name}${expiresAt === undefined ? '' : ` until ${expiresAt}`}`;
      })
      .toSorted();
  }

  verify(): Promise<VerifyReport> {
    return verifyStore(this.path);
  }

  /** Every row of every table that commands have made. */
  rows(): string[] {
    return rowsOf(this.path);
  }

  async close(): Promise<void> {
    await this.#release();
    rmSync(this.path, { recursive: true, force: true });
  }

  async #release(): Promise<void> {
    await this.engine.close();
    await this.writer.close();
  }
}

/** Every row of every table that commands have made in a folder: `table key value` in hexadecimal. */
export function rowsOf(path: string): string[] {
  const rows = new TableRows(path);
  const texts = [...rows.all()].map(
    ({ table, key, value }) => `${table} ${key.toString('hex')} ${value.toString('hex')}`,
  );
  void rows.close();
  return texts;
}
