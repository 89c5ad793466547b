import type { Engine } from '#engine';
import { endedRecords, sweepOrganizations } from '../orgs/index.ts';
import type { Clock } from '../platform/index.ts';
import { codeCollection } from './codes/code-record.ts';
import { spentCollection } from './webauthn/challenge.ts';

const ending = [codeCollection, spentCollection];

/** Removes, in each organization, at most `limit` codes and as many spent challenges that nobody needs any longer. */
export function sweepFactorCodes(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  return sweepOrganizations(engine, (store) => ({
    changes: endedRecords(store, ending, 'until', clock.now(), limit),
  }));
}
