import { z } from 'zod';
import type { Clock } from '../../platform/index.ts';
import type { RecordKind } from '../records/index.ts';
import type { CommitEngine } from './commit.ts';
import { UseNotes } from './use-notes.ts';

/** A record of its own for a time of last use, in milliseconds. Its id is that of what was used. */
export const lastUseSchema = z.strictObject({ lastUsedAt: z.number() });

export type LastUse = z.output<typeof lastUseSchema>;
export type LastUseNotes = UseNotes<LastUse>;

/**
 * Notes of last use that stand apart from what was used: a use then neither changes its version nor races with its
 * rotation.
 * @param records where the times are written
 * @param used what is used: nothing is noted of what is gone
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
