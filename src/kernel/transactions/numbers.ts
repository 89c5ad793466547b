import { z } from 'zod';
import type { Engine } from '#engine';
import { settleRaces } from '../../platform/index.ts';
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
    await settleRaces(async () => {
      const at = this.#engine.store(store);
      const found = this.#engine.read(() => sequenceRecords.get(at, id));
      const next = found?.document.next ?? 1;
      const end = next + this.#blockSize;
      await this.#engine.submit(
        this.#engine.command([sequenceRecords.put(at, id, { next: end })], {
          preconditions: [sequenceRecords.asRead(at, id, found)],
        }),
      );
      this.#blocks.set(name, { next, end });
    });
  }
}
