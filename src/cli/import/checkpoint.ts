import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Change, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../kernel/index.ts';
import { positionSchema } from './read-lines.ts';

/**
 * How far an import has come, in the store that is imported into. It is written in the same commit as the tuples up to
 * there, so that an import that was killed at any moment goes on exactly where its last commit ends. A record's id is
 * `importId` of the files.
 */
export const importRecords = defineRecord({
  collection: 'imports',
  schema: z.strictObject({
    file: z.string(),
    /** Which of the import's sources is being read, and where in it. */
    source: z.int(),
    position: positionSchema.readonly(),
    /** Tuples that were read and accepted so far, and lines that were refused. */
    tuples: z.int(),
    refused: z.int(),
    /** The length of the file of refused lines. */
    refusedBytes: z.int(),
    isDone: z.boolean(),
    /** Milliseconds since the epoch. */
    at: z.number(),
  }),
});

export type Checkpoint = DocumentOf<typeof importRecords>;

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
  return importRecords.get(store, id)?.document;
}

export function putCheckpoint(at: Pick<Store, 'name'>, id: string, checkpoint: Checkpoint): Change {
  return importRecords.put(at, id, checkpoint);
}
