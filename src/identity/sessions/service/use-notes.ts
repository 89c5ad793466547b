import { type Change, type Engine, EngineError, type Precondition, type RecordEntry, type Store } from '#engine';
import type { RecordKind } from '../../../kernel/records/index.ts';
import type { Clock } from '../../../platform/index.ts';

/** How a time of last use is read from a record, and written into it. */
export interface UsedRecord<T> {
  readonly records: Pick<RecordKind<T>, 'put' | 'same'>;
  readonly usedAt: (document: T) => number | undefined;
  /** How often it must be written at least, where a minute is too rarely. */
  readonly gapMs?: (store: Store) => number;
  /** The record, where it may still be used. */
  readonly find: (store: Store, id: string, now: number) => RecordEntry<T> | undefined;
  readonly used: (document: T, usedAt: number) => T;
}

/** Last use is written at most this often for one record, unless its kind says otherwise. */
const GAP_MS = 60_000;
const NOTES_MAX = 100_000;
const BATCH = 200;
const RACES_MAX = 3;

/** Remembers when records were last used, and writes that down in batches, one record mostly at most once a minute. */
export class UseNotes<T> {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #kind: UsedRecord<T>;
  /** Times of use by id, by store. */
  readonly #notes = new Map<string, Map<string, number>>();
  #count = 0;

  constructor(engine: Engine, clock: Clock, kind: UsedRecord<T>) {
    this.#engine = engine;
    this.#clock = clock;
    this.#kind = kind;
  }

  note(store: string, id: string): void {
    this.#keep(store, id, this.#clock.now());
  }

  /** Writes what is due. What is not yet due is kept for later, as long as the record can still be used. */
  async flush(): Promise<void> {
    const notes = [...this.#notes];
    this.#notes.clear();
    this.#count = 0;
    for (const [store, ofStore] of notes) {
      const uses = [...ofStore];
      for (let from = 0; from < uses.length; from += BATCH) await this.#write(store, uses.slice(from, from + BATCH));
    }
  }

  async #write(name: string, uses: readonly (readonly [string, number])[]): Promise<void> {
    for (let race = 0; race < RACES_MAX; race++) {
      try {
        const { changes, preconditions, early } = this.#engine.read(() => this.#plan(name, uses));
        if (changes.length > 0) await this.#engine.submit(this.#engine.command(changes, { preconditions }));
        for (const [id, usedAt] of early) this.#keep(name, id, usedAt);
        return;
      } catch (error) {
        // the organization is gone, or nothing can be written now: a time of last use is no reason to fail
        if (!(error instanceof EngineError)) throw error;
        if (error.code !== 'precondition_failed') return;
      }
    }
  }

  #plan(name: string, uses: readonly (readonly [string, number])[]) {
    const store = this.#engine.store(name);
    const now = this.#clock.now();
    const { records, find, usedAt: before, used } = this.#kind;
    const gap = Math.min(GAP_MS, this.#kind.gapMs?.(store) ?? GAP_MS);
    const changes: Change[] = [];
    const preconditions: Precondition[] = [];
    const early: (readonly [string, number])[] = [];
    for (const [id, usedAt] of uses) {
      // what has ended meanwhile must not come back
      const entry = find(store, id, now);
      if (entry === undefined) continue;
      const last = before(entry.document);
      if (last !== undefined && usedAt <= last) continue;
      if (last !== undefined && now - last < gap) early.push([id, usedAt]);
      else {
        changes.push(records.put(store, id, used(entry.document, usedAt)));
        preconditions.push(records.same(store, entry));
      }
    }
    return { changes, preconditions, early };
  }

  /** Of two uses the later one counts. */
  #keep(store: string, id: string, usedAt: number): void {
    const ofStore = this.#notes.get(store) ?? new Map<string, number>();
    const known = ofStore.get(id);
    if (known === undefined && this.#count++ >= NOTES_MAX) return;
    ofStore.set(id, Math.max(known ?? usedAt, usedAt));
    this.#notes.set(store, ofStore);
  }
}
