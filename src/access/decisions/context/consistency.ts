import { z } from 'zod';
import { EngineError } from '#engine';
import type { RevisionTokens } from './revision-tokens.ts';

/**
 * How fresh an answer must be. With one node every read sees every acknowledged commit, so that the modes differ only
 * in what they refuse: a token that has not been reached. A node of several waits first; see `Freshness`.
 */
export const consistencySchema = z
  .union([
    z.strictObject({ mode: z.enum(['minimize_latency', 'fully_consistent']) }).meta({ id: 'ConsistencyMode' }),
    z
      .strictObject({ mode: z.literal('at_least').optional(), atLeast: z.string().min(1).max(64) })
      .meta({ id: 'ConsistencyAtLeast' }),
  ])
  .describe('minimize_latency if omitted');

export type Consistency = z.output<typeof consistencySchema>;

/**
 * To be called inside the snapshot that answers.
 * @throws EngineError `invalid_token`, `log_replaced`, `revision_ahead`
 */
export function requireFresh(tokens: RevisionTokens, consistency: Consistency | undefined, revision: number): void {
  if (consistency === undefined || !('atLeast' in consistency)) return;
  const path = 'consistency.atLeast';
  if (tokens.revisionOf(consistency.atLeast, path) > revision) {
    throw new EngineError('revision_ahead', 'the revision of the consistency token has not been reached here', {
      path,
    });
  }
}
