import { endedRecords, type SweepStep, sweepOrganizations, type WalkParts } from '../../orgs/index.ts';
import { linkCollection } from '../links/link-record.ts';
import { mailCountCollection } from '../links/mail-budget.ts';
import { flowCollection } from './flow-record.ts';

const ending = [flowCollection, linkCollection, mailCountCollection];

/** Removes, in each organization, at most `limit` of each kind of what sign-ins leave. Answers whether there may be more. */
export function sweepSignIns(parts: WalkParts): SweepStep {
  return sweepOrganizations(parts, 'sign-ins', (store, limit, aside) => ({
    changes: endedRecords(store, ending, { index: 'expires', now: parts.clock.now(), limit, aside }),
  }));
}
