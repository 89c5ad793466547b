import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../../../kernel/organizations/index.ts';
import { nextSettling } from './next-settling.ts';
import { settlingStep } from './settle.ts';

/**
 * Settles, in each organization, at most `limit` sessions and tokens that have ended, and removes sessions that ended
 * `keepMs` ago. Answers whether there may be more.
 */
export function sweepSessions(dependencies: WalkDependencies, keepMs: number): SweepStep {
  return sweepOrganizations(dependencies, 'sessions', {
    plan: (store, limit, aside) => settlingStep(store, { now: dependencies.clock.now(), keepMs, limit, aside }),
    nextAt: (store) => nextSettling(store, keepMs),
  });
}
