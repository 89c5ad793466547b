import { z } from 'zod';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';

/**
 * How far an import of tuples has come, in the store that is imported into. It is written in the same commit as the
 * tuples up to there, so that an import that was killed at any moment goes on exactly where its last commit ends. A
 * record's id is a digest of the files.
 */
export const importRecords = defineRecord({
  collection: 'imports',
  holds: 'how far an import of tuples has come',
  schema: z.strictObject({
    file: z.string(),
    /** Which of the import's sources is being read, and where in it. */
    source: z.int(),
    position: z
      .strictObject({
        /** In bytes from the start of the file. */
        offset: z.int(),
        /** Lines before it. */
        line: z.int(),
      })
      .readonly(),
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
