import { type Problem, problem, problemFromError } from '../../../http/index.ts';
import { type BulkOperation, type Perform, type Performed, refusedBy } from './bulk-operation.ts';
import { type BulkResponse, type BulkResult, bulkResponseSchema, resultOf } from './bulk-result.ts';
import type { NamesOf } from './order/conflicts.ts';
import { unresolved } from './order/links.ts';
import { type Turn, turnsOf } from './order/turns.ts';
import { WaitingList } from './order/waiting-list.ts';
import type { BulkRequest, Locate, ReadOperation } from './read-bulk.ts';
import { replaceReferences } from './references.ts';

/** What a bulk request works with. */
export interface BulkDependencies {
  readonly perform: Perform;
  readonly locate: Locate;
  readonly namesOf: NamesOf;
  /** Told of what operations failed with that is no answer. */
  readonly failed: (error: unknown) => void;
  /** Most operations that run at once, and share commits; 64 if omitted. */
  readonly window?: number;
}

/** So many share the flush of a commit: with 16 the disk was waited for, and with more than 64 nothing became faster. */
const WINDOW = 64;

/**
 * Runs a bulk request (RFC 7644, 3.7): each operation wholly or not at all, and all that can be done where some fail. The
 * answer has a result for each operation that was attempted, in the order of the request; with `failOnErrors` no more
 * operations fail than that, and those that were not attempted are not in the answer. Never rejects.
 */
export function runBulk(dependencies: BulkDependencies, request: BulkRequest): Promise<BulkResponse> {
  return new BulkRun(dependencies, request).run();
}

class BulkRun {
  readonly #dependencies: BulkDependencies;
  readonly #turns: readonly Turn[];
  /** For each turn how many it still waits for, and who waits for it. */
  readonly #open: number[];
  readonly #waiting: readonly number[][];
  readonly #ready = new WaitingList();
  /** Ids of what was created, by bulkId. */
  readonly #created = new Map<string, string>();
  /** By the index in the request. */
  readonly #results: (BulkResult | undefined)[];
  readonly #errorsMax: number;
  #errors = 0;
  #running = 0;
  /** All turns before it are over. */
  #firstOpen = 0;

  constructor(dependencies: BulkDependencies, { operations, failOnErrors }: BulkRequest) {
    this.#dependencies = dependencies;
    this.#turns = turnsOf(operations, dependencies.namesOf);
    this.#errorsMax = failOnErrors ?? Number.POSITIVE_INFINITY;
    this.#results = operations.map(() => undefined);
    this.#waiting = this.#turns.map(() => []);
    this.#open = this.#turns.map(({ after }, turn) => {
      for (const each of after) this.#waiting[each]?.push(turn);
      if (after.size === 0) this.#ready.add(turn);
      return after.size;
    });
  }

  run(): Promise<BulkResponse> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        for (let turn = this.#ready.first; turn !== undefined && this.#mayBegin(turn); turn = this.#ready.first) {
          this.#ready.take();
          this.#running++;
          void this.#take(turn).then(goOn);
        }
        if (this.#running === 0) resolve(this.#response());
      };
      goOn();
    });
  }

  /** It would have its turn even if all before it failed: so no more are attempted than one after the other. */
  #mayBegin(turn: number): boolean {
    if (this.#running >= (this.#dependencies.window ?? WINDOW)) return false;
    while (this.#isOver(this.#firstOpen)) this.#firstOpen++;
    let errors = this.#errors;
    for (let before = this.#firstOpen; before < turn && errors < this.#errorsMax; before++) {
      if (!this.#isOver(before)) errors++;
    }
    return errors < this.#errorsMax;
  }

  #isOver(turn: number): boolean {
    const index = this.#turns[turn]?.index;
    return index !== undefined && this.#results[index] !== undefined;
  }

  #response(): BulkResponse {
    const attempted = this.#results.filter((each) => each !== undefined);
    return { schemas: [bulkResponseSchema], Operations: attempted };
  }

  /** Never rejects. */
  async #take(turn: number): Promise<void> {
    const { operation, index, fault } = this.#turns[turn] as Turn; // only turns are ready
    const { bulkId } = operation;
    const refused = fault ?? this.#unresolved(operation);
    const done = refused === undefined ? await this.#perform(operation) : refusedBy(refused);
    this.#results[index] = resultOf(operation, done.location ?? this.#locationOf(operation), done);
    if (done.status >= 400) this.#errors++;
    else if (bulkId !== undefined && done.id !== undefined) this.#created.set(bulkId, done.id);
    this.#running--;
    for (const each of this.#waiting[turn] ?? []) {
      this.#open[each] = (this.#open[each] ?? 0) - 1;
      if (this.#open[each] === 0) this.#ready.add(each);
    }
  }

  /** Those that it refers to have had their turns. */
  #unresolved({ references }: ReadOperation): Problem | undefined {
    const missing = [...references].find((each) => !this.#created.has(each));
    return missing === undefined ? undefined : unresolved(missing, 'the operation that creates it has failed');
  }

  async #perform(operation: ReadOperation): Promise<Performed> {
    const { perform, failed } = this.#dependencies;
    try {
      return await perform(this.#resolved(operation));
    } catch (error) {
      const known = problemFromError(error);
      if (known === undefined || known.kind.status >= 500) failed(error);
      return refusedBy(known ?? problem('internal', 'The operation failed. The log has the reason.'));
    }
  }

  #resolved({ method, endpoint, bulkId, version, data, references, ...read }: ReadOperation): BulkOperation {
    if (method === undefined || endpoint === undefined)
      throw new RangeError('an operation with a fault is not performed');
    const id = this.#idOf(read);
    return {
      method,
      endpoint,
      path: id === undefined ? endpoint : `${endpoint}/${encodeURIComponent(id)}`,
      id,
      bulkId,
      version,
      data: references.size === 0 ? data : replaceReferences(data, this.#created),
    };
  }

  #idOf({ id, idReference }: Pick<ReadOperation, 'id' | 'idReference'>): string | undefined {
    return idReference === undefined ? id : this.#created.get(idReference);
  }

  /** Where the resource is that an operation is about, also where it fails: a POST that failed has none (3.7.3). */
  #locationOf(operation: ReadOperation): string | undefined {
    const id = this.#idOf(operation);
    return operation.endpoint === undefined || id === undefined
      ? undefined
      : this.#dependencies.locate(operation.endpoint, id);
  }
}
