import type { Engine } from '#engine';
import { sweepOrganizations } from '../../orgs/index.ts';
import type { Clock } from '../../platform/index.ts';
import { settlingStep } from './settle.ts';

/**
 * Settles, in each organization, at most `limit` sessions and tokens that have ended, and removes sessions that ended
 * `keepMs` ago. Answers whether there may be more.
 */
export function sweepSessions(engine: Engine, clock: Clock, keepMs: number, limit: number): Promise<boolean> {
  return sweepOrganizations(engine, (store) => settlingStep(store, clock.now(), keepMs, limit));
}
