import { CliError } from '../cli-error.ts';
import { counted, grouped, type Progress } from '../progress.ts';
import type { Output } from '../terminal.ts';
import type { RefusedLines } from './refused-lines.ts';

/** Thrown through a reader when enough is wrong; caught by `Refusals.until`. */
class Stop extends Error {}

export interface RefusalsOptions {
  readonly errors: Output;
  readonly progress: Progress;
  /** How many refused lines are shown. */
  readonly errorsMax: number;
  /** Given where refused lines are left out; else they end the import. */
  readonly file: RefusedLines | undefined;
  /** Of an earlier run that this one continues. */
  readonly before?: number;
}

/** What an import cannot take: counted, shown, and left out or the end of it. */
export class Refusals {
  readonly #options: RefusalsOptions;
  #count: number;
  #name = '';
  #unit: 'line' | 'tuple' = 'line';

  constructor(options: RefusalsOptions) {
    this.#options = options;
    this.#count = options.before ?? 0;
  }

  get count(): number {
    return this.#count;
  }

  /** Nothing more is written: a line was refused, and none may be left out. */
  get isFinal(): boolean {
    return this.#options.file === undefined && this.#count > 0;
  }

  /** What is read from now on comes from here; `unit` says what a position counts. */
  begin(name: string, unit: 'line' | 'tuple'): void {
    this.#name = name;
    this.#unit = unit;
  }

  /** `a.csv:17`. */
  positionText(line: number): string {
    return this.#unit === 'line' ? `${this.#name}:${line}` : `${this.#name}: tuple ${line}`;
  }

  /** @throws Stop where no more are shown */
  reject(line: number, reason: string, raw: Uint8Array): void {
    const { errors, errorsMax, file, progress } = this.#options;
    this.#count++;
    const where = this.positionText(line);
    if (this.#count <= errorsMax) {
      progress.end();
      errors.write(`${where}: ${reason}\n`);
    }
    if (file !== undefined) file.add(where, reason, raw);
    else if (this.#count >= errorsMax) this.stop();
  }

  /** Ends the reading; `until` answers undefined. */
  stop(): never {
    throw new Stop();
  }

  /** Undefined where the task ended by `stop`. */
  async until<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      if (error instanceof Stop) return undefined;
      throw error;
    }
  }

  /**
   * @param tuples what was written before the first refused line
   * @throws CliError where a line was refused, and none may be left out
   */
  require(tuples: number, isWhole: boolean): void {
    if (!this.isFinal) return;
    const before =
      tuples === 0
        ? 'nothing was imported'
        : `${counted(tuples, 'tuple')} before it ${tuples === 1 ? 'was' : 'were'} imported`;
    const more = isWhole ? '' : ' or more';
    throw new CliError(
      `${grouped(this.#count)}${more} ${this.#unit}${this.#count === 1 && isWhole ? '' : 's'} refused; ${before} (--skip-invalid leaves them out)`,
    );
  }
}
