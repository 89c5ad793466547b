import { z } from 'zod';
import type { Store } from '#engine';
import { type CommitEngine, commit } from '../../../kernel/commits/index.ts';
import { defineRecord } from '../../../kernel/records/index.ts';
import { digestOf } from '../../../platform/index.ts';

/** Proofs that were used on a node of a cluster. A record's id is the digest of the key and the `jti`. */
export const spentProofRecords = defineRecord({
  collection: 'spent_proofs',
  holds: 'the digest of a proof of possession, so that it counts once on all nodes',
  // in milliseconds since the epoch: from then on it would be refused by its age
  schema: z.strictObject({ until: z.number() }),
  expires: { index: 'until', at: ({ until }) => until },
});

/** Clocks of nodes may differ by as much: a proof is remembered longer than any of them would take it. */
const CLOCKS_MS = 60_000;

/**
 * Uses a proof up by a command of the log, which all nodes have. False where it was used before.
 * @throws EngineError `unavailable` where the log does not take it
 */
export function spendProof(
  engine: CommitEngine,
  store: Store,
  { key, until }: { readonly key: string; readonly until: number },
): Promise<boolean> {
  const id = digestOf(key);
  return commit(engine, store, (changes) => {
    if (changes.get(spentProofRecords, id) !== undefined) return changes.drop(false);
    changes.put(spentProofRecords, id, { until: until + CLOCKS_MS });
    return true;
  });
}
