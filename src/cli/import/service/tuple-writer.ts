import { CliError } from '../../cli-error.ts';
import { faultsOf, type ServiceAnswer, type ServiceClient } from '../../connection/service-client.ts';

/** A tuple as `POST /zanzibar/tuples` takes it, and where the file has it. */
export interface PlacedTuple {
  readonly line: number;
  /** As JSON. */
  readonly text: string;
  /** The line, where it may be left out and written to a file. */
  readonly raw: Uint8Array;
}

/** What became of a list of tuples. */
export interface Written {
  readonly count: number;
  /** Consistency token of the last commit; undefined where there was none. */
  readonly revision: string | undefined;
}

export interface TupleWriterOptions {
  /** Tuples in one request. */
  readonly batch: number;
  readonly placeOf: (line: number) => string;
  /** Tuples that the service does not take. The others are written unless this throws. */
  readonly refused: (faults: readonly TupleFault[]) => void;
}

export interface TupleFault {
  readonly tuple: PlacedTuple;
  readonly reason: string;
}

/** Most bytes of a body: the usual limit of the service, with room for what is around the tuples. */
const BYTES_MAX = 1_000_000;

/**
 * Writes tuples through a service, a request for as many as it takes, in their order. What the service refuses is
 * taken out by the places that it names; where it names none, by halving the request.
 */
export class TupleWriter {
  readonly #client: ServiceClient;
  readonly #options: TupleWriterOptions;
  #batch: number;
  #count = 0;
  #revision: string | undefined;

  constructor(client: ServiceClient, options: TupleWriterOptions) {
    this.#client = client;
    this.#options = options;
    this.#batch = options.batch;
  }

  /** Becomes smaller where the service has a lower limit. */
  get batch(): number {
    return this.#batch;
  }

  get written(): Written {
    return { count: this.#count, revision: this.#revision };
  }

  /** @throws CliError where the caller may not write them, or the service ends */
  async write(tuples: readonly PlacedTuple[]): Promise<void> {
    for (let rest = tuples; rest.length > 0; ) {
      const some = this.#head(rest);
      rest = rest.slice(some.length);
      await this.#writeSome(some);
    }
  }

  /** As many as fit into one request; at least one. */
  #head(tuples: readonly PlacedTuple[]): readonly PlacedTuple[] {
    let bytes = 0;
    const end = tuples.findIndex(({ text }, index) => {
      bytes += Buffer.byteLength(text) + 1;
      return index > 0 && (index >= this.#batch || bytes > BYTES_MAX);
    });
    return end < 0 ? tuples : tuples.slice(0, end);
  }

  async #writeSome(tuples: readonly PlacedTuple[]): Promise<void> {
    const answer = await this.#client.call('POST', '/zanzibar/tuples', `{"writes":[${tuples.map(textOf).join(',')}]}`);
    if (answer.status === 200) {
      this.#count += tuples.length;
      this.#revision = String(answer.body.revision);
      return;
    }
    if (isTooMuch(answer) && tuples.length > 1) {
      this.#batch = Math.ceil(tuples.length / 2);
      return this.write(tuples);
    }
    // a key that is not valid, or an organization that is not there: no tuple is at fault
    if (answer.status === 401 || answer.status === 404) throw new CliError(this.#client.refusal(answer));
    const faults = answer.status === 403 ? [] : faultsIn(answer, tuples);
    if (faults.length > 0) return this.#takeOut(tuples, faults);
    if (tuples.length === 1) return this.#refuse(tuples[0] as PlacedTuple, answer);
    const half = Math.ceil(tuples.length / 2);
    await this.#writeSome(tuples.slice(0, half));
    await this.#writeSome(tuples.slice(half));
  }

  async #takeOut(tuples: readonly PlacedTuple[], faults: readonly TupleFault[]): Promise<void> {
    this.#options.refused(faults);
    const refused = new Set(faults.map(({ tuple }) => tuple));
    const rest = tuples.filter((tuple) => !refused.has(tuple));
    if (rest.length > 0) await this.#writeSome(rest);
  }

  /** One tuple by itself, which the service refuses without a place. */
  #refuse(tuple: PlacedTuple, answer: ServiceAnswer): void {
    const reason = this.#client.refusal(answer);
    // a right that is missing is mended elsewhere: leaving out what needs it would lose it without a word
    if (answer.status === 403) throw new CliError(`${this.#options.placeOf(tuple.line)}: ${reason}`);
    this.#options.refused([{ tuple, reason }]);
  }
}

function textOf({ text }: PlacedTuple): string {
  return text;
}

/** The service has a lower limit than usual: of bytes, or of tuples in one request. */
function isTooMuch(answer: ServiceAnswer): boolean {
  return answer.status === 413 || (answer.status === 400 && faultsOf(answer).some(({ path }) => path === 'writes'));
}

/** The tuples that an answer names, in their order, with what is wrong with each. */
function faultsIn(answer: ServiceAnswer, tuples: readonly PlacedTuple[]): readonly TupleFault[] {
  const reasons = new Map<number, string>();
  for (const { path, message } of faultsOf(answer)) {
    const [, digits, member = ''] = /^writes\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
    if (digits === undefined || reasons.has(Number(digits))) continue;
    reasons.set(Number(digits), member === '' ? message : `${member}: ${message}`);
  }
  return tuples.flatMap((tuple, index) => {
    const reason = reasons.get(index);
    return reason === undefined ? [] : [{ tuple, reason }];
  });
}
