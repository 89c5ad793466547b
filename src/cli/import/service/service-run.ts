import type { Tuple } from '#engine';
import { isoTime } from '../../../platform/index.ts';
import type { ServiceClient } from '../../connection/service-client.ts';
import type { Progress } from '../../progress.ts';
import type { SourcesSink } from '../import-plan.ts';
import type { Position } from '../reading/read-lines.ts';
import { tupleParts } from '../reading/scan-tuple.ts';
import type { Refusals } from '../refusals.ts';
import { type LineTuple, TupleWriter } from './tuple-writer.ts';

export interface ServiceRunDependencies {
  readonly client: ServiceClient;
  readonly progress: Progress;
  readonly refusals: Refusals;
  /** Tuples in one request. */
  readonly batch: number;
  /** Whether refused lines are left out, and kept. */
  readonly leavesOut: boolean;
}

const NOTHING = new Uint8Array(0);

/** Collects what the readers find and writes it through a service, request by request. */
export class ServiceRun implements SourcesSink {
  readonly writer: TupleWriter;
  readonly #dependencies: ServiceRunDependencies;
  #pending: LineTuple[] = [];

  constructor(dependencies: ServiceRunDependencies) {
    const { client, refusals, batch } = dependencies;
    this.#dependencies = dependencies;
    this.writer = new TupleWriter(client, refusals, batch);
  }

  /** What was read before is written first: its lines are of another file. */
  async begin(_source: number, name: string, unit: 'line' | 'tuple'): Promise<void> {
    await this.#writeAll();
    this.#dependencies.refusals.begin(name, unit);
  }

  addScanned(line: number, source: Buffer, raw: Buffer, rawStart: number, rawEnd: number): void {
    const { object, objectEnd, relation, relationEnd, subject, subjectEnd } = tupleParts;
    const text = JSON.stringify({
      object: source.toString('latin1', object, objectEnd),
      relation: source.toString('latin1', relation, relationEnd),
      subject: source.toString('latin1', subject, subjectEnd),
    });
    this.#pending.push({ line, text, raw: this.#kept(raw.subarray(rawStart, rawEnd)) });
  }

  add(line: number, { object, relation, subject, condition, expiresAt }: Tuple, raw: Uint8Array): void {
    const text = JSON.stringify({
      object,
      relation,
      subject,
      condition,
      ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
    });
    this.#pending.push({ line, text, raw: this.#kept(raw) });
  }

  reject(line: number, reason: string, raw: Uint8Array): void {
    this.#dependencies.refusals.reject(line, reason, raw);
  }

  pause(position: Position): Promise<void> | undefined {
    this.#dependencies.progress.update(position.offset, this.writer.count);
    return this.#pending.length >= this.writer.batch ? this.#writeFull() : undefined;
  }

  /** Runs the readers to their end, or to the last error that is shown. Throws `CliError` where a line was refused. */
  async finish(read: () => Promise<Position>): Promise<void> {
    const { refusals } = this.#dependencies;
    const isWhole = await refusals.until(async () => {
      await read();
      await this.#writeAll();
      return true;
    });
    refusals.require(this.writer.count, isWhole === true);
  }

  /** The reader's bytes are those of its next lines, too. */
  #kept(raw: Uint8Array): Uint8Array {
    return this.#dependencies.leavesOut ? Uint8Array.from(raw) : NOTHING;
  }

  async #writeFull(): Promise<void> {
    while (this.#pending.length >= this.writer.batch) await this.#write(this.#pending.splice(0, this.writer.batch));
  }

  async #writeAll(): Promise<void> {
    await this.#write(this.#pending.splice(0));
  }

  /** After a refused line nothing more is written, unless such lines are left out. */
  async #write(tuples: readonly LineTuple[]): Promise<void> {
    if (this.#dependencies.refusals.isFinal || tuples.length === 0) return;
    await this.writer.write(tuples);
  }
}
