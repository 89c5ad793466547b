import type { Engine } from '#engine';
import { endedRecords, sweepOrganizations } from '../../orgs/index.ts';
import type { Clock } from '../../platform/index.ts';
import { failureCollection } from './failure-record.ts';

/** Removes, in each organization, at most `limit` counts that no longer matter. Answers whether there may be more. */
export function sweepFailures(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  return sweepOrganizations(engine, (store) => ({
    changes: endedRecords(store, [failureCollection], 'until', clock.now(), limit),
  }));
}
