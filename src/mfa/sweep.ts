import { endedRecords, type SweepStep, sweepOrganizations, type WalkParts } from '../orgs/index.ts';
import { codeCollection } from './codes/code-record.ts';
import { spentCollection } from './webauthn/challenge.ts';

const ending = [codeCollection, spentCollection];

/** Removes, in each organization, at most `limit` codes and as many spent challenges that nobody needs any longer. */
export function sweepFactorCodes(parts: WalkParts): SweepStep {
  return sweepOrganizations(parts, 'codes of second factors', (store, limit, aside) => ({
    changes: endedRecords(store, ending, { index: 'until', now: parts.clock.now(), limit, aside }),
  }));
}
