import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine, FollowedRecords, Follower } from '#engine';
import { storeOf } from '../../../kernel/organizations/index.ts';
import type { AnyRecordKind } from '../../../kernel/records/index.ts';
import type { Background, Repetition } from '../../../platform/index.ts';
import { Restarts } from '../tasks/restarts.ts';
import type { DeliveryWorker } from './delivery-worker.ts';

export interface DeliveryThreadsDependencies {
  readonly engine: Engine;
  readonly background: Background;
  /** Starts a delivery thread. */
  readonly start: () => Pick<DeliveryWorker, 'ended' | 'close'>;
  /** Without a record of these kinds, the thread has nothing to do. */
  readonly kinds: readonly AnyRecordKind[];
}

const LOOK_MS = 1000;
/** A thread that has run for so long has not failed at its start. */
const WELL_MS = 60_000;
const COMMITS_MAX = 20_000;
/** Organizations that are looked at in one turn of the thread. */
const SLICE = 500;

/**
 * The delivery thread. It is started with the first subscription of any organization, so that a service without one has
 * neither its start nor its memory. Where it ends by an error, it is started anew, and goes on from what is on record.
 */
export class DeliveryThreads {
  readonly #dependencies: DeliveryThreadsDependencies;
  readonly #restarts = new Restarts();
  readonly #follower: Follower<FollowedRecords>;
  readonly #looking: Repetition;
  #worker: Pick<DeliveryWorker, 'ended' | 'close'> | undefined;
  #startedAt = 0;
  #isNeeded: boolean | undefined;
  #isClosed = false;

  constructor(dependencies: DeliveryThreadsDependencies) {
    this.#dependencies = dependencies;
    const { engine, background, kinds } = dependencies;
    this.#follower = engine.followRecords(kinds.map(({ collection }) => collection));
    this.#looking = background.every('delivery_thread', LOOK_MS, () => this.#look());
  }

  /** Starts no thread any more, and ends the one that runs: at the latest after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.#isClosed = true;
    await this.#looking.stop();
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.close(withinMs);
  }

  async #look(): Promise<void> {
    if (this.#worker !== undefined) {
      if (performance.now() - this.#startedAt > WELL_MS) this.#restarts.succeeded();
      return;
    }
    this.#isNeeded ||= this.#isNeeded === undefined ? await this.#lookEverywhere() : this.#hasAppeared();
    if (!this.#isNeeded || this.#isClosed || this.#restarts.waitMs(performance.now()) > 0) return;
    this.#start();
  }

  #start(): void {
    const { background, start } = this.#dependencies;
    const worker = start();
    this.#worker = worker;
    this.#startedAt = performance.now();
    void worker.ended.then(
      background.guarded('delivery_thread', (cause: Error) => {
        if (this.#worker !== worker) return;
        this.#worker = undefined;
        this.#restarts.failed(performance.now());
        const message = `the delivery thread has ended: ${cause.message}`;
        background.failed('delivery_thread', new Error(message, { cause }));
      }),
    );
  }

  /** Whether a commit since the last look has touched a record of the kinds; undefined where commits do not tell. */
  #hasAppeared(): boolean | undefined {
    let isTouched = false;
    let isToldAll = true;
    const isUpToDate = this.#follower.catchUp(COMMITS_MAX, ({ changes, untold }) => {
      isTouched ||= changes.length > 0;
      isToldAll &&= untold.length === 0;
    });
    if (isTouched) return true;
    return isUpToDate && isToldAll ? false : undefined;
  }

  async #lookEverywhere(): Promise<boolean> {
    const { engine, kinds } = this.#dependencies;
    this.#follower.restart();
    const names = engine.storeNames().filter((name) => name.startsWith(storeOf('')));
    for (const [index, name] of names.entries()) {
      const has = (kind: AnyRecordKind) => kind.index(engine.store(name)).ids(undefined, '', { limit: 1 }).length > 0;
      if (engine.read(() => engine.hasStore(name) && kinds.some(has))) return true;
      if (index % SLICE === SLICE - 1) await nextTurn();
    }
    return false;
  }
}
