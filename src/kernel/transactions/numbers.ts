import { z } from 'zod';
import type { Change, Engine, Precondition, Store } from '#engine';
import { commit } from '../commits/index.ts';
import { defineRecord } from '../records/index.ts';

/** The next number of each sequence of an organization. A record's id is the sequence's name. */
export const sequenceRecords = defineRecord({
  collection: 'sequences',
  holds: 'the next number of one kind of numbered records',
  schema: z.strictObject({ next: z.int() }),
});

interface Block {
  next: number;
  readonly end: number;
}

/**
 * Integer ids, never given twice, also after what had them is gone. A thread takes them in blocks, so that creating
 * many things at once is no race for one counter; what is left of a block when a thread ends is never used.
 */
export class Numbers {
  readonly #engine: Engine;
  readonly #blocks = new Map<string, Block>();
  readonly #reserving = new Map<string, Promise<void>>();
  readonly #blockSize: number;

  constructor(engine: Engine, blockSize = 1) {
    this.#engine = engine;
    this.#blockSize = blockSize;
  }

  /** The next number of a sequence of one store, from 1. */
  async next(store: string, sequence: string): Promise<number> {
    const name = `${store}\n${sequence}`;
    for (;;) {
      const block = this.#blocks.get(name);
      if (block !== undefined && block.next < block.end) return block.next++;
      let reserving = this.#reserving.get(name);
      if (reserving === undefined) {
        reserving = this.#reserve(name, store, sequence).finally(() => this.#reserving.delete(name));
        this.#reserving.set(name, reserving);
      }
      await reserving;
    }
  }

  async #reserve(name: string, store: string, id: string): Promise<void> {
    const block = await commit(this.#engine, store, (changes) => {
      const next = changes.get(sequenceRecords, id)?.document.next ?? 1;
      const end = next + this.#blockSize;
      changes.put(sequenceRecords, id, { next: end });
      return { next, end };
    });
    this.#blocks.set(name, block);
  }
}

/**
 * Numbers that are given with a commit, and not at all where it fails. To be made in the snapshot that plans the
 * commit. Of two commits that take numbers of one sequence at the same moment, the second is planned again.
 */
export class NumbersInCommit {
  readonly #store: Store;
  readonly #taken = new Map<string, { next: number; readonly asRead: Precondition }>();

  constructor(store: Store) {
    this.#store = store;
  }

  next(sequence: string): number {
    const taken = this.#taken.get(sequence) ?? this.#begin(sequence);
    return taken.next++;
  }

  get changes(): Change[] {
    return [...this.#taken].map(([sequence, { next }]) => sequenceRecords.put(this.#store, sequence, { next }));
  }

  get preconditions(): Precondition[] {
    return [...this.#taken.values()].map(({ asRead }) => asRead);
  }

  #begin(sequence: string) {
    const found = sequenceRecords.get(this.#store, sequence);
    const asRead = sequenceRecords.asRead(this.#store, sequence, found);
    const taken = { next: found?.document.next ?? 1, asRead };
    this.#taken.set(sequence, taken);
    return taken;
  }
}
