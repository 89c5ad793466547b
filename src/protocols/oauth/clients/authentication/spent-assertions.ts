import { z } from 'zod';
import type { Engine, Store } from '#engine';
import { commit } from '../../../../kernel/commits/index.ts';
import { defineRecord } from '../../../../kernel/records/index.ts';
import { digestOf } from '../../../../platform/index.ts';
import type { ProvedAssertion } from './assertion.ts';

/** Assertions that were used. A record's id is the digest of who made it and the `jti`. Times are in milliseconds. */
export const spentAssertionRecords = defineRecord({
  collection: 'spent_assertions',
  holds: 'the digest of an assertion, so that it counts once',
  schema: z.strictObject({
    /** When it would be refused for its age. Records of earlier versions have it only in the index. */
    until: z.number().exactOptional(),
  }),
  expires: { index: 'until', at: ({ until = 0 }) => until },
});

/**
 * Uses an assertion up, on disk and across threads. False where it was used before. One without a `jti` is good until it
 * expires.
 */
export async function spendAssertion(
  engine: Engine,
  store: Store,
  clientId: string,
  { jti, until }: ProvedAssertion,
): Promise<boolean> {
  if (jti === undefined) return true;
  const id = digestOf(`${clientId}\n${jti}`);
  return commit(engine, store, (changes) => {
    if (changes.get(spentAssertionRecords, id) !== undefined) return false;
    changes.put(spentAssertionRecords, id, { until });
    return true;
  });
}
