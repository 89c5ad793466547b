import { z } from 'zod';
import { type Engine, EngineError, type Store } from '#engine';
import { type DocumentOf, defineRecord, type RecordKind } from '../../kernel/records/index.ts';
import type { Clock } from '../../platform/index.ts';

/**
 * When keys were last used, each with the key's id. Apart from the keys' own records, so that a use neither changes a
 * key's version nor races with its rotation.
 */
export const keyUseRecords = defineRecord({
  collection: 'api_key_uses',
  holds: 'when an API key was last used',
  /** In milliseconds. */
  schema: z.strictObject({ lastUsedAt: z.number() }),
});

/** Last use is written at most this often for one key. */
const GAP_MS = 60_000;

type UseRecord = DocumentOf<typeof keyUseRecords>;

interface Use {
  readonly store: string;
  readonly id: string;
  usedAt: number;
  writtenAt: number;
}

const USES_MAX = 50_000;

/** Remembers when keys, or whatever else is used like them, were last used, and writes that down in batches. */
export class KeyUse {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #records: RecordKind<UseRecord>;
  readonly #uses = new Map<string, Use>();

  constructor(engine: Engine, clock: Clock, records: RecordKind<UseRecord> = keyUseRecords) {
    this.#engine = engine;
    this.#clock = clock;
    this.#records = records;
  }

  note(store: string, id: string): void {
    const use = this.#uses.get(id);
    if (use !== undefined) use.usedAt = this.#clock.now();
    else if (this.#uses.size < USES_MAX) {
      this.#uses.set(id, { store, id, usedAt: this.#clock.now(), writtenAt: 0 });
    }
  }

  /** Writes what is due, one commit for each organization. To be called every few seconds. */
  async flush(): Promise<void> {
    const now = this.#clock.now();
    const due = new Map<string, Use[]>();
    for (const [id, use] of this.#uses) {
      if (use.usedAt <= use.writtenAt) this.#uses.delete(id);
      else if (now - use.writtenAt >= GAP_MS) due.set(use.store, [...(due.get(use.store) ?? []), use]);
    }
    for (const [store, uses] of due) {
      for (const use of uses) use.writtenAt = now;
      await this.#write(store, uses, now);
    }
  }

  async #write(store: string, uses: readonly Use[], now: number): Promise<void> {
    try {
      const at = this.#engine.store(store);
      const changes = uses
        // another thread may have written the same key a moment ago
        .filter(({ id }) => (this.#records.get(at, id)?.document.lastUsedAt ?? 0) <= now - GAP_MS)
        .map(({ id, usedAt }) => this.#records.put(at, id, { lastUsedAt: usedAt }));
      if (changes.length > 0) await this.#engine.submit(this.#engine.command(changes));
    } catch (error) {
      // the organization is gone, or nothing can be written now: a time of last use is no reason to fail
      if (!(error instanceof EngineError)) throw error;
    }
  }
}

export function lastUse(store: Store, id: string): number | undefined {
  return keyUseRecords.get(store, id)?.document.lastUsedAt;
}
