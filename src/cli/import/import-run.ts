import type { Change, Engine, Store, Tuple } from '#engine';
import { type Checkpoint, importRecords } from '../../directory/records/index.ts';
import { CliError } from '../cli-error.ts';
import { counted, grouped, type Progress } from '../progress.ts';
import type { Output } from '../terminal.ts';
import type { Position } from './read-lines.ts';
import type { RefusedLines } from './refused-lines.ts';
import { refusalOf, TupleCollector } from './tuple-collector.ts';
import type { TupleSink } from './tuple-sink.ts';

export interface ImportRunDependencies {
  readonly engine: Engine;
  readonly store: Store;
  readonly errors: Output;
  readonly progress: Progress;
  /** Tuples in one commit. */
  readonly batch: number;
  /** How many refused lines are shown. */
  readonly errorsMax: number;
  /** Where an import can be continued: not of standard input. */
  readonly id: string | undefined;
  readonly from: Checkpoint;
  /** Given where refused lines are left out; else the first one ends the import. */
  readonly refused: RefusedLines | undefined;
  readonly clock: () => number;
}

/** Thrown through a reader when enough is wrong; caught by `stopped`. */
class Stop extends Error {}

/** Collects what the readers find and commits it, batch by batch, each with the place that it reaches. */
export class ImportRun implements TupleSink {
  readonly #collector: TupleCollector;
  readonly #dependencies: ImportRunDependencies;
  readonly #modelId: string;
  #checkpoint: Checkpoint;
  #source = 0;
  #name = '';
  #unit = 'line';
  #refusedNow = 0;
  #changed = 0;
  #revision = 0;

  constructor(dependencies: ImportRunDependencies) {
    this.#dependencies = dependencies;
    const { modelId, require } = dependencies.store.gate();
    this.#modelId = modelId;
    this.#collector = new TupleCollector(require);
    this.#checkpoint = dependencies.from;
  }

  get accepted(): number {
    return this.#checkpoint.tuples + this.#collector.packer.count;
  }

  get refused(): number {
    return this.#checkpoint.refused + this.#refusedNow;
  }

  /** Of this run: tuples that were not in the store as they are now, and the last commit. */
  get result(): { readonly changed: number; readonly revision: number } {
    return { changed: this.#changed, revision: this.#revision };
  }

  /** What is read from now on comes from here; `unit` says what a place counts. */
  begin(source: number, name: string, unit: 'line' | 'tuple'): void {
    this.#source = source;
    this.#name = name;
    this.#unit = unit;
  }

  addScanned(line: number, source: Buffer, raw: Buffer, rawStart: number, rawEnd: number): void {
    const refusal = this.#collector.addScanned(source);
    if (refusal !== undefined) this.reject(line, refusal, raw.subarray(rawStart, rawEnd));
  }

  add(line: number, tuple: Tuple, raw: Uint8Array): void {
    const refusal = refusalOf(() => this.#collector.add(tuple));
    if (refusal !== undefined) this.reject(line, refusal, raw);
  }

  reject(line: number, reason: string, raw: Uint8Array): void {
    const { refused, errors, errorsMax, progress } = this.#dependencies;
    this.#refusedNow++;
    const where = this.#unit === 'line' ? `${this.#name}:${line}` : `${this.#name}: tuple ${line}`;
    if (this.refused <= errorsMax) {
      progress.end();
      errors.write(`${where}: ${reason}\n`);
    }
    if (refused !== undefined) refused.add(where, reason, raw);
    else if (this.refused >= errorsMax) throw new Stop();
  }

  pause(position: Position): Promise<void> | undefined {
    this.#dependencies.progress.update(position.offset, this.accepted);
    return this.#collector.packer.count >= this.#dependencies.batch ? this.commit(position, false) : undefined;
  }

  /** After a refused line nothing more is committed, unless such lines are left out. */
  async commit(position: Position, isDone: boolean): Promise<void> {
    const { engine, store, id, refused, progress, clock } = this.#dependencies;
    if (refused === undefined && this.refused > 0) return;
    const { packer } = this.#collector;
    progress.phase(`writing ${counted(packer.count, 'tuple')}`);
    const checkpoint: Checkpoint = {
      ...this.#checkpoint,
      source: this.#source,
      position: { ...position },
      tuples: this.accepted,
      refused: this.refused,
      refusedBytes: refused?.flush() ?? 0,
      isDone,
      at: clock(),
    };
    const changes: Change[] = [];
    if (packer.count > 0) {
      changes.push({ op: 'write_packed', store: store.name, packed: packer.take(), modelId: this.#modelId });
    }
    if (id !== undefined) changes.push(importRecords.put(store, id, checkpoint));
    if (changes.length === 0) return;
    const { revision, tuplesChanged } = await engine.submit(engine.command(changes));
    this.#checkpoint = checkpoint;
    this.#refusedNow = 0;
    this.#changed += tuplesChanged;
    this.#revision = revision;
  }

  /** Runs the readers to their end, or to the last error that is shown. Throws `CliError` where a line was refused. */
  async finish(read: () => Promise<Position>): Promise<void> {
    let position: Position | undefined;
    try {
      position = await read();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    if (position !== undefined) await this.commit(position, true);
    if (this.#dependencies.refused !== undefined || this.refused === 0) return;
    const { tuples } = this.#checkpoint;
    const before =
      tuples === 0
        ? 'nothing was imported'
        : `${counted(tuples, 'tuple')} before it ${tuples === 1 ? 'was' : 'were'} imported`;
    const more = position === undefined ? ' or more' : '';
    throw new CliError(
      `${grouped(this.refused)}${more} ${this.#unit}${this.refused === 1 ? '' : 's'} refused; ${before} (--skip-invalid leaves them out)`,
    );
  }
}
