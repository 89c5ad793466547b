import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { RecordWrite, Store } from '#engine';
import type { Position } from './read-lines.ts';

/** Collection of the store that is imported into. */
export const IMPORTS = 'imports';

/**
 * How far an import has come. It is written in the same commit as the tuples up to there, so that an import that was
 * killed at any moment goes on exactly where its last commit ends.
 */
export interface Checkpoint {
  readonly file: string;
  /** Which of the import's sources is being read, and where in it. */
  readonly source: number;
  readonly position: Position;
  /** Tuples that were read and accepted so far, and lines that were refused. */
  readonly tuples: number;
  readonly refused: number;
  /** The length of the file of refused lines. */
  readonly refusedBytes: number;
  readonly isDone: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const SAMPLE_BYTES = 65_536;

/** The same for the same files wherever they lie: their names, sizes, first and last bytes. */
export async function importId(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      hash.update(`${basename(path)}\0${size}\0`);
      const sample = Buffer.alloc(SAMPLE_BYTES);
      for (const at of [0, Math.max(0, size - SAMPLE_BYTES)]) {
        const { bytesRead } = await file.read(sample, 0, SAMPLE_BYTES, at);
        hash.update(sample.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }
  return hash.digest('hex').slice(0, 32);
}

export function readCheckpoint(store: Store, id: string): Checkpoint | undefined {
  return store.records.get<Checkpoint>(IMPORTS, id)?.document;
}

export function checkpointRecord(id: string, checkpoint: Checkpoint): RecordWrite {
  return { collection: IMPORTS, id, document: checkpoint };
}
