import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Engine, FenceRecord } from '#engine';
import { commit } from '../../kernel/commits/index.ts';
import { platformStore } from '../../kernel/organizations/index.ts';
import { defineRecord } from '../../kernel/records/index.ts';

/** In the platform's store, where nodes share a log. */
export const leaseRecords = defineRecord({
  collection: 'cluster_lease',
  holds: 'which node of a cluster does the work that one does for all, and that it still runs; two records',
  schema: z.strictObject({ holder: z.string(), name: z.string(), count: z.int() }),
});

/** Changes when another node takes over. */
const workId = 'work';
/** Changes every few seconds. */
const beatId = 'beat';

export interface LeaseDependencies {
  readonly engine: Engine;
  /** Of this node, for people. */
  readonly name: string;
  /** By a clock that only goes forward. */
  readonly now?: () => number;
}

/** How often the node that has the lease says that it still runs. */
const BEAT_MS = 2000;
/** Without a beat that was taken for so long, it must have stopped. */
const HELD_MS = 10_000;
/** Without a beat that was seen for so long, another node takes over: later than the one before has stopped. */
const SILENT_MS = 16_000;

/** As the holder of a lease that was given back. */
const nobody = '';

/**
 * Which node does the work that one does for all. It stands in the log: one node takes it, beats, and stops by itself if
 * its beats are not taken; another one takes it when it has seen no beat for longer than that. Both count by their own
 * clocks, from what they did and saw themselves. The version of the record `work` fences what a node writes that has lost it
 * without knowing.
 */
export class Lease {
  readonly #dependencies: LeaseDependencies;
  readonly #holder = randomUUID();
  readonly #now: () => number;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #nextTurn = Number.NEGATIVE_INFINITY;
  #seen: { readonly beat: number; readonly at: number } | undefined;

  constructor(dependencies: LeaseDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? (() => performance.now());
  }

  get isHeld(): boolean {
    return this.#now() < this.#heldUntil;
  }

  /** To be called often: takes the lease, keeps it, or looks at who has it, each `BEAT_MS`. */
  async turn(): Promise<void> {
    const before = this.#now();
    if (before < this.#nextTurn) return;
    this.#nextTurn = before + BEAT_MS;
    const work = this.#work();
    const isOwn = work?.document.holder === this.#holder;
    if (!isOwn && work !== undefined && work.document.holder !== nobody && !this.#isSilent()) return;
    if (await this.#write(isOwn)) this.#heldUntil = before + HELD_MS;
  }

  /** The version of the record `work` while this node has it. */
  fence(): FenceRecord {
    const work = this.#work();
    if (work === undefined) throw new Error('the lease is held by nobody');
    const { engine } = this.#dependencies;
    return leaseRecords.same(engine.store(platformStore), work) as FenceRecord; // which is what `same` makes
  }

  /** At the end of the service, so that the next node need not wait. */
  async release(): Promise<void> {
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    await commit(this.#dependencies.engine, platformStore, (changes) => {
      const work = changes.get(leaseRecords, workId);
      if (work?.document.holder !== this.#holder) return;
      // not deleted: its version must never be given again
      changes.put(leaseRecords, workId, { ...work.document, holder: nobody });
    });
  }

  #work() {
    const { engine } = this.#dependencies;
    return engine.read(() => leaseRecords.get(engine.store(platformStore), workId));
  }

  #isSilent(): boolean {
    const { engine } = this.#dependencies;
    const beat = engine.read(() => leaseRecords.get(engine.store(platformStore), beatId)?.version ?? 0);
    if (this.#seen?.beat !== beat) this.#seen = { beat, at: this.#now() };
    return this.#now() - this.#seen.at > SILENT_MS;
  }

  /** False where another node was faster. */
  #write(wasOwn: boolean): Promise<boolean> {
    const { engine, name } = this.#dependencies;
    const seen = this.#seen?.beat;
    return commit(engine, platformStore, (changes) => {
      const work = changes.get(leaseRecords, workId);
      const beat = changes.get(leaseRecords, beatId);
      const isOwn = work?.document.holder === this.#holder;
      if (wasOwn && !isOwn) return false;
      const isFree = work === undefined || work.document.holder === nobody;
      if (!isOwn && !isFree && (beat?.version ?? 0) !== seen) return false;
      const count = (beat?.document.count ?? 0) + 1;
      if (!isOwn) changes.put(leaseRecords, workId, { holder: this.#holder, name, count });
      changes.put(leaseRecords, beatId, { holder: this.#holder, name, count });
      return true;
    });
  }
}
