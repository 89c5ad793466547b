import type { Engine } from '#engine';
import { endedRecords, sweepOrganizations } from '../../orgs/index.ts';
import type { Clock } from '../../platform/index.ts';
import { linkCollection } from '../links/link-record.ts';
import { mailCountCollection } from '../links/mail-budget.ts';
import { flowCollection } from './flow-record.ts';

const ending = [flowCollection, linkCollection, mailCountCollection];

/** Removes, in each organization, at most `limit` of each kind of what sign-ins leave. Answers whether there may be more. */
export function sweepSignIns(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  return sweepOrganizations(engine, (store) => ({
    changes: endedRecords(store, ending, 'expires', clock.now(), limit),
  }));
}
