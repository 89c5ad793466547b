import { type SweepStep, sweepOrganizations, type WalkParts } from '../../../kernel/organizations/index.ts';
import { settlingStep } from './settle.ts';

/**
 * Settles, in each organization, at most `limit` sessions and tokens that have ended, and removes sessions that ended
 * `keepMs` ago. Answers whether there may be more.
 */
export function sweepSessions(parts: WalkParts, keepMs: number): SweepStep {
  return sweepOrganizations(parts, 'sessions', (store, limit, aside) =>
    settlingStep(store, { now: parts.clock.now(), keepMs, limit, aside }),
  );
}
