import { endedRecords, type SweepStep, sweepOrganizations, type WalkParts } from '../../orgs/index.ts';
import { failureCollection } from './failure-record.ts';

/** Removes, in each organization, at most `limit` counts that no longer matter. Answers whether there may be more. */
export function sweepFailures(parts: WalkParts): SweepStep {
  return sweepOrganizations(parts, 'failures', (store, limit, aside) => ({
    changes: endedRecords(store, [failureCollection], { index: 'until', now: parts.clock.now(), limit, aside }),
  }));
}
