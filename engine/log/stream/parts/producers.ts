import type { Tables } from '../../../store/environment.ts';
import { type Produced, readProducers, removeProducer, writeProducer } from '../../../store/log/stream-progress.ts';

/** A producer that was silent for as long as this may be forgotten. Nothing is sent again after a hundredth of it. */
const FORGOTTEN_MS = 24 * 3_600_000;
/**
 * Of so many none is forgotten. Each start of a node makes one, so that is far more than start while the clock of a server
 * is wrong: by such a clock alone, one that still sends must not seem to have been silent.
 */
const PRODUCERS_KEPT = 1000;

type Known = readonly [producer: string, produced: Produced];

/** The last message of each producer, in hexadecimal, that was applied. */
export class Producers {
  readonly #tables: Tables;
  readonly known: Map<string, Produced>;

  constructor(tables: Tables) {
    this.#tables = tables;
    this.known = readProducers(tables);
  }

  draft(): ProducersDraft {
    return new ProducersDraft(this.known);
  }

  /** To be called in the transaction that applies their messages. */
  write({ fresh, forgotten }: ProducersDraft): void {
    for (const producer of forgotten) removeProducer(this.#tables, producer);
    for (const [producer, produced] of fresh) writeProducer(this.#tables, producer, produced);
  }

  /** To be called when it is committed. */
  take({ fresh, forgotten }: ProducersDraft): void {
    for (const producer of forgotten) this.known.delete(producer);
    for (const [producer, produced] of fresh) this.known.set(producer, produced);
  }
}

/** What becomes of them with messages that are to be applied. */
export class ProducersDraft {
  readonly #known: ReadonlyMap<string, Produced>;
  readonly fresh = new Map<string, Produced>();
  readonly forgotten = new Set<string>();

  constructor(known: ReadonlyMap<string, Produced>) {
    this.#known = known;
  }

  /** The number of its last message; 0 where it is not known. */
  numberOf(producer: string): number {
    return this.#of(producer)?.number ?? 0;
  }

  /** To be called for each message in its order: where a new producer comes, those that were silent may be forgotten. */
  add(producer: string, produced: Produced): void {
    if (this.#of(producer) === undefined) this.#forget(produced.time);
    this.fresh.set(producer, produced);
  }

  #of(producer: string): Produced | undefined {
    return this.fresh.get(producer) ?? (this.forgotten.has(producer) ? undefined : this.#known.get(producer));
  }

  /** Decided by what stands before a message, so that all nodes forget the same. */
  #forget(now: number): void {
    if (this.#known.size + this.fresh.size < PRODUCERS_KEPT) return;
    const known = new Map([...[...this.#known].filter(([producer]) => !this.forgotten.has(producer)), ...this.fresh]);
    const silent = [...known].filter(([, { time }]) => time < now - FORGOTTEN_MS).toSorted(longestSilentFirst);
    for (const [producer] of silent.slice(0, Math.max(0, known.size - PRODUCERS_KEPT + 1))) {
      this.fresh.delete(producer);
      this.forgotten.add(producer);
    }
  }
}

function longestSilentFirst([one, { time }]: Known, [other, { time: than }]: Known): number {
  return time - than || (one < other ? -1 : 1);
}
