import type { Tuple } from '#engine';
import { CliError } from '../cli-error.ts';
import { tupleParts } from '../import/reading/scan-tuple.ts';
import type { TupleSink } from '../import/reading/tuple-sink.ts';
import { refusalOf } from '../import/tuple-collector.ts';

/** Keeps the tuples that a reader finds. The first one that is refused ends the reading with a `CliError`. */
export class TupleList implements TupleSink {
  readonly tuples: Tuple[] = [];
  readonly #require: (tuple: Tuple) => void;
  #name = '';
  #unit = 'line';

  /** `require` throws for a tuple that the model does not accept. */
  constructor(require: (tuple: Tuple) => void) {
    this.#require = require;
  }

  begin(name: string, unit: 'line' | 'tuple'): void {
    this.#name = name;
    this.#unit = unit;
  }

  addScanned(line: number, source: Buffer): void {
    const text = (start: number, end: number): string => source.toString('latin1', start, end);
    this.add(line, {
      object: text(tupleParts.object, tupleParts.objectEnd),
      relation: text(tupleParts.relation, tupleParts.relationEnd),
      subject: text(tupleParts.subject, tupleParts.subjectEnd),
    });
  }

  add(line: number, tuple: Tuple): void {
    const refusal = refusalOf(() => this.#require(tuple));
    if (refusal !== undefined) this.reject(line, refusal);
    this.tuples.push(tuple);
  }

  reject(line: number, reason: string): never {
    const where = this.#unit === 'line' ? `${this.#name}:${line}` : `${this.#name}: tuple ${line}`;
    throw new CliError(`${where}: ${reason}`);
  }

  pause(): undefined {
    return undefined;
  }
}
