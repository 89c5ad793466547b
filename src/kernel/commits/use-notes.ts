import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import type { Clock } from '../../platform/index.ts';
import type { RecordKind } from '../records/index.ts';
import { type CommitEngine, commitIfPossible, commitTogether } from './commit.ts';
import type { StoreChanges } from './store-changes.ts';

/** How a time of last use is read from a record, and written into it. */
export interface UsedRecord<T> {
  readonly records: Pick<RecordKind<T>, 'collection' | 'put' | 'same' | 'absent'>;
  readonly usedAt: (document: T) => number | undefined;
  /** The least time between two writes of one record, where a minute is too long. */
  readonly gapMs?: (store: Store) => number;
  /** The record, where it may still be used; at version 0 where it is yet to be made. */
  readonly find: (store: Store, id: string, now: number) => RecordEntry<T> | undefined;
  readonly used: (document: T, usedAt: number) => T;
}

type Use = readonly [id: string, usedAt: number];
type Uses = readonly Use[];
/** Uses that are not yet due, each with the time at which it is. */
type Early = readonly (readonly [...Use, dueAt: number])[];

/** What is noted of one record, until it is written down. */
export interface UseNote {
  /** Since these notes began: so small that V8 keeps it in its place, for 24 days. */
  usedMs: number;
  /** Not due before this time. */
  dueAt: number;
  /** False once it was taken to be written down. */
  isNoted: boolean;
}

/** Last use is written at most this often for one record, unless its kind says otherwise. */
const GAP_MS = 60_000;
const NOTES_MAX = 100_000;
const BATCH = 200;

/** Remembers when records were last used, and writes that down in batches: one record usually once a minute at most. */
export class UseNotes<T> {
  readonly #engine: CommitEngine;
  readonly #clock: Clock;
  readonly #kind: UsedRecord<T>;
  readonly #begunAt: number;
  /** By id, by store. */
  readonly #notes = new Map<string, Map<string, UseNote>>();
  #count = 0;
  /** The last noted use: one credential is used many times in a millisecond. */
  #lastStore = '';
  #lastId = '';
  #last: UseNote | undefined;

  constructor(engine: CommitEngine, clock: Clock, kind: UsedRecord<T>) {
    this.#engine = engine;
    this.#clock = clock;
    this.#kind = kind;
    this.#begunAt = clock.now();
  }

  /** Notes a use, and answers the note, for `again`. */
  note(store: string, id: string): UseNote | undefined {
    const known = id === this.#lastId && store === this.#lastStore ? this.#last : undefined;
    if (known !== undefined && this.again(known)) return known;
    this.#lastStore = store;
    this.#lastId = id;
    this.#last = this.#keep(store, id, this.#clock.now(), 0);
    return this.#last;
  }

  /**
   * Notes the next use of the same record, without a search among thousands of others.
   * @returns false where the note was written down meanwhile: then `note` makes another one
   */
  again(note: UseNote): boolean {
    if (!note.isNoted) return false;
    const usedMs = this.#clock.now() - this.#begunAt;
    if (note.usedMs < usedMs) note.usedMs = usedMs;
    return true;
  }

  /**
   * Writes what is due, or with `all` everything: at the end of a thread. What is not yet due is kept for later, as long as
   * the record can still be used.
   */
  async flush(all = false): Promise<void> {
    await commitTogether(this.#take(this.#clock.now(), all), async ([store, uses]) => {
      for (let from = 0; from < uses.length; from += BATCH)
        await this.#write(store, uses.slice(from, from + BATCH), all);
    });
  }

  /** All that is due now, by store. If the clock was set back, more is due. */
  #take(now: number, all: boolean): (readonly [store: string, Uses])[] {
    const taken: (readonly [string, Uses])[] = [];
    for (const [store, notes] of this.#notes) {
      const uses: Use[] = [];
      for (const [id, note] of notes) {
        if (!all && note.dueAt > now && note.dueAt <= now + GAP_MS) continue;
        uses.push([id, this.#begunAt + note.usedMs]);
        note.isNoted = false;
        notes.delete(id);
        this.#count--;
      }
      if (uses.length > 0) taken.push([store, uses]);
      if (notes.size === 0) this.#notes.delete(store);
    }
    return taken;
  }

  async #write(name: string, uses: Uses, all: boolean): Promise<void> {
    let early: Early = [];
    const isWritten = await commitIfPossible(this.#engine, name, (changes) => {
      early = this.#put(changes, uses, all);
    });
    if (isWritten) for (const [id, usedAt, dueAt] of early) this.#keep(name, id, usedAt, dueAt);
  }

  /** Answers those that are not yet due. */
  #put(changes: StoreChanges, uses: Uses, all: boolean): Early {
    const { store } = changes;
    const now = this.#clock.now();
    const { records, find, usedAt: before, used } = this.#kind;
    const gap = all ? 0 : Math.min(GAP_MS, this.#kind.gapMs?.(store) ?? GAP_MS);
    const early: Early[number][] = [];
    for (const [id, usedAt] of uses) {
      // what has ended meanwhile must not come back
      const entry = find(store, id, now);
      if (entry === undefined) continue;
      const last = before(entry.document);
      if (last !== undefined && usedAt <= last) continue;
      // 0: asked again at each flush, as a gap of the store's own may become shorter
      if (last !== undefined && now - last < gap)
        early.push([id, usedAt, this.#kind.gapMs === undefined ? last + gap : 0]);
      else {
        changes.rely(records, entry);
        changes.put(records, id, used(entry.document, usedAt));
      }
    }
    return early;
  }

  /** Of two uses the later one counts. */
  #keep(store: string, id: string, usedAt: number, dueAt: number): UseNote | undefined {
    const usedMs = usedAt - this.#begunAt;
    const known = this.#notes.get(store)?.get(id);
    if (known !== undefined) {
      known.usedMs = Math.max(known.usedMs, usedMs);
      known.dueAt = Math.max(known.dueAt, dueAt);
      return known;
    }
    if (this.#count >= NOTES_MAX) return undefined;
    this.#count++;
    const ofStore = this.#notes.get(store) ?? new Map<string, UseNote>();
    const note = { usedMs, dueAt, isNoted: true };
    ofStore.set(id, note);
    this.#notes.set(store, ofStore);
    return note;
  }
}

/** A record of its own for a time of last use, in milliseconds. Its id is that of what was used. */
export const lastUseSchema = z.strictObject({ lastUsedAt: z.number() });

export type LastUse = z.output<typeof lastUseSchema>;
export type LastUseNotes = UseNotes<LastUse>;

/**
 * Notes of last use that stand apart from what was used: so a use neither changes its version nor races with its
 * rotation.
 * @param records where the times are written
 * @param used what is used: nothing is noted where it is gone
 */
export function lastUseNotes(
  engine: CommitEngine,
  clock: Clock,
  records: RecordKind<LastUse>,
  used: Pick<RecordKind<unknown>, 'get'>,
): LastUseNotes {
  return new UseNotes(engine, clock, {
    records,
    usedAt: ({ lastUsedAt }) => lastUsedAt,
    find: (store, id) =>
      used.get(store, id) === undefined
        ? undefined
        : (records.get(store, id) ?? { id, version: 0, document: { lastUsedAt: 0 } }),
    used: (_, lastUsedAt) => ({ lastUsedAt }),
  });
}
