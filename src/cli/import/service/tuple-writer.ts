import { CliError } from '../../cli-error.ts';
import { faultsOf, type ServiceAnswer, type ServiceClient } from '../../connection/service-client.ts';
import type { Refusals } from '../refusals.ts';

/** A tuple as `POST /zanzibar/tuples` takes it, and where the file has it. */
export interface LineTuple {
  readonly line: number;
  /** As JSON. */
  readonly text: string;
  /** The line, where it may be left out and written to a file. */
  readonly raw: Uint8Array;
}

interface TupleFault {
  readonly tuple: LineTuple;
  readonly reason: string;
}

/** Most bytes of a body: the usual limit of the service, with room for what is around the tuples. */
const BYTES_MAX = 1_000_000;

/**
 * Writes tuples through a service, a request for as many as it takes, in their order. What the service refuses is
 * taken out by the indexes that it names; where it names none, by halving the request.
 */
export class TupleWriter {
  /** Tuples in one request. Becomes smaller where the service has a lower limit. */
  batch: number;
  /** Tuples that were written so far. */
  count = 0;
  /** Consistency token of the last commit; undefined where there was none. */
  revision: string | undefined = undefined;
  readonly #client: ServiceClient;
  readonly #refusals: Refusals;

  constructor(client: ServiceClient, refusals: Refusals, batch: number) {
    this.#client = client;
    this.#refusals = refusals;
    this.batch = batch;
  }

  /** @throws CliError where the caller may not write them, or the service ends */
  async write(tuples: readonly LineTuple[]): Promise<void> {
    for (let rest = tuples; rest.length > 0; ) {
      const some = this.#head(rest);
      rest = rest.slice(some.length);
      await this.#writeSome(some);
    }
  }

  /** As many as fit into one request; at least one. */
  #head(tuples: readonly LineTuple[]): readonly LineTuple[] {
    let bytes = 0;
    const end = tuples.findIndex(({ text }, index) => {
      bytes += Buffer.byteLength(text) + 1;
      return index > 0 && (index >= this.batch || bytes > BYTES_MAX);
    });
    return end < 0 ? tuples : tuples.slice(0, end);
  }

  async #writeSome(tuples: readonly LineTuple[]): Promise<void> {
    const writes = tuples.map(({ text }) => text).join(',');
    const answer = await this.#client.call('POST', '/zanzibar/tuples', `{"writes":[${writes}]}`);
    if (answer.status === 200) {
      this.count += tuples.length;
      this.revision = String(answer.body.revision);
      return;
    }
    if (isTooMuch(answer) && tuples.length > 1) {
      this.batch = Math.ceil(tuples.length / 2);
      return this.write(tuples);
    }
    // a key that is not valid, or an organization that is not there: no tuple is at fault
    if (answer.status === 401 || answer.status === 404) throw new CliError(this.#client.refusal(answer));
    const faults = answer.status === 403 ? [] : faultsIn(answer, tuples);
    if (faults.length > 0) return this.#takeOut(tuples, faults);
    if (tuples.length === 1) return this.#refuse(tuples[0] as LineTuple, answer);
    const half = Math.ceil(tuples.length / 2);
    await this.#writeSome(tuples.slice(0, half));
    await this.#writeSome(tuples.slice(half));
  }

  async #takeOut(tuples: readonly LineTuple[], faults: readonly TupleFault[]): Promise<void> {
    this.#leaveOut(faults);
    const refused = new Set(faults.map(({ tuple }) => tuple));
    const rest = tuples.filter((tuple) => !refused.has(tuple));
    if (rest.length > 0) await this.#writeSome(rest);
  }

  /** One tuple by itself, which the service refuses without a path. */
  #refuse(tuple: LineTuple, answer: ServiceAnswer): void {
    const reason = this.#client.refusal(answer);
    // a right that is missing is mended elsewhere: leaving out what needs it would lose it without a word
    if (answer.status === 403) throw new CliError(`${this.#refusals.positionText(tuple.line)}: ${reason}`);
    this.#leaveOut([{ tuple, reason }]);
  }

  /** @throws where one may not be left out */
  #leaveOut(faults: readonly TupleFault[]): void {
    for (const { tuple, reason } of faults) this.#refusals.reject(tuple.line, reason, tuple.raw);
    // the service need not name all faults of a request: what may follow is not known
    if (this.#refusals.isFinal) this.#refusals.stop();
  }
}

/** The service has a lower limit than usual: of bytes, or of tuples in one request. */
function isTooMuch(answer: ServiceAnswer): boolean {
  return answer.status === 413 || (answer.status === 400 && faultsOf(answer).some(({ path }) => path === 'writes'));
}

/** The tuples that an answer names, in their order, with what is wrong with each. */
function faultsIn(answer: ServiceAnswer, tuples: readonly LineTuple[]): readonly TupleFault[] {
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
