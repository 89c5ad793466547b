import type { Change, Engine, Store, Tuple } from '#engine';
import { type Checkpoint, importRecords } from '../../directory/records/index.ts';
import { counted, type Progress } from '../progress.ts';
import type { SourcesSink } from './import-plan.ts';
import type { Position } from './reading/read-lines.ts';
import type { Refusals } from './refusals.ts';
import type { RefusedLines } from './refused-lines.ts';
import { refusalOf, TupleCollector } from './tuple-collector.ts';

export interface ImportRunDependencies {
  readonly engine: Engine;
  readonly store: Store;
  readonly progress: Progress;
  /** Tuples in one commit. */
  readonly batch: number;
  /** Where an import can be continued: not of standard input. */
  readonly id: string | undefined;
  readonly from: Checkpoint;
  readonly refusals: Refusals;
  /** Given where refused lines are left out. */
  readonly refused: RefusedLines | undefined;
}

/** Collects what the readers find and commits it, batch by batch, each with the position that it reaches. */
export class ImportRun implements SourcesSink {
  readonly #collector: TupleCollector;
  readonly #dependencies: ImportRunDependencies;
  readonly #modelId: string;
  #checkpoint: Checkpoint;
  #source = 0;
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
    return this.#dependencies.refusals.count;
  }

  /** Of this run: tuples that were not in the store as they are now, and the last commit. */
  get result(): { readonly changed: number; readonly revision: number } {
    return { changed: this.#changed, revision: this.#revision };
  }

  begin(source: number, name: string, unit: 'line' | 'tuple'): void {
    this.#source = source;
    this.#dependencies.refusals.begin(name, unit);
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
    this.#dependencies.refusals.reject(line, reason, raw);
  }

  pause(position: Position): Promise<void> | undefined {
    this.#dependencies.progress.update(position.offset, this.accepted);
    return this.#collector.packer.count >= this.#dependencies.batch ? this.commit(position, false) : undefined;
  }

  /** After a refused line nothing more is committed, unless such lines are left out. */
  async commit(position: Position, isDone: boolean): Promise<void> {
    const { engine, store, id, refused, refusals, progress } = this.#dependencies;
    if (refusals.isFinal) return;
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
      at: Date.now(),
    };
    const changes: Change[] = [];
    if (packer.count > 0) {
      changes.push({ op: 'write_packed', store: store.name, packed: packer.take(), modelId: this.#modelId });
    }
    if (id !== undefined) changes.push(importRecords.put(store, id, checkpoint));
    if (changes.length === 0) return;
    const { revision, tuplesChanged } = await engine.submit(engine.command(changes));
    this.#checkpoint = checkpoint;
    this.#changed += tuplesChanged;
    this.#revision = revision;
  }

  /** Runs the readers to their end, or to the last error that is shown. Throws `CliError` where a line was refused. */
  async finish(read: () => Promise<Position>): Promise<void> {
    const { refusals } = this.#dependencies;
    const position = await refusals.until(read);
    if (position !== undefined) await this.commit(position, true);
    refusals.require(this.#checkpoint.tuples, position !== undefined);
  }
}
