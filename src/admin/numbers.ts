import type { Engine } from '#engine';
import { settleRaces } from '../platform/index.ts';

/** Collection of an organization's store: the next number of each sequence. */
const collection = 'sequences';

interface Sequence {
  readonly next: number;
}

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
      const found = this.#engine.read(() => this.#engine.store(store).records.get<Sequence>(collection, id));
      const next = found?.document.next ?? 1;
      const end = next + this.#blockSize;
      await this.#engine.submit(
        this.#engine.command(
          [{ op: 'put_record', store, record: { collection, id, document: { next: end } satisfies Sequence } }],
          {
            preconditions: [
              found === undefined
                ? { require: 'record_absent', store, collection, id }
                : { require: 'record_version', store, collection, id, version: found.version },
            ],
          },
        ),
      );
      this.#blocks.set(name, { next, end });
    });
  }
}
