import { createHash } from 'node:crypto';
import { EngineError } from '../../../../../engine/errors.ts';
import {
  newestFirst,
  type Snapshot,
  type SnapshotFacts,
  type SnapshotStore,
} from '../../../../../engine/log/stream/snapshots/snapshot.ts';

interface Kept {
  readonly snapshot: Snapshot;
  pieces: Uint8Array[];
}

/** Snapshots in memory, which fail as they are told. */
export class MemorySnapshots implements SnapshotStore {
  readonly kept = new Map<string, Kept>();
  /** Pieces of uploads that did not end. */
  remains = 0;
  /** Called before each piece is kept. */
  onPiece: (count: number) => void = () => {};
  /** Called after each piece that was read. */
  onRead: (name: string) => void = () => {};
  #made = 0;

  list(): Promise<Snapshot[]> {
    return Promise.resolve([...this.kept.values()].map(({ snapshot }) => snapshot).toSorted(newestFirst));
  }

  async put(facts: SnapshotFacts, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Snapshot> {
    const all: Uint8Array[] = [];
    const hash = createHash('sha256');
    for await (const piece of pieces) {
      this.remains++;
      this.onPiece(all.length);
      signal.throwIfAborted();
      all.push(Uint8Array.from(piece));
      hash.update(piece);
    }
    this.remains -= all.length;
    const bytes = all.reduce((sum, { length }) => sum + length, 0);
    const snapshot = { ...facts, name: `s${this.#made++}`, bytes, digest: hash.digest('base64url') };
    this.kept.set(snapshot.name, { snapshot, pieces: all });
    return snapshot;
  }

  async *read({ name }: Snapshot): AsyncIterable<Uint8Array> {
    for (const piece of this.kept.get(name)?.pieces ?? []) {
      yield piece;
      this.onRead(name);
      if (!this.kept.has(name)) throw new EngineError('unavailable', 'the next piece does not come');
    }
  }

  remove({ name }: Pick<Snapshot, 'name'>): Promise<void> {
    this.kept.delete(name);
    return Promise.resolve();
  }

  removeRemains(): Promise<void> {
    this.remains = 0;
    return Promise.resolve();
  }
}
