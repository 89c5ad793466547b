import { endedRecords, type SweepStep, sweepOrganizations, type WalkParts } from '../../orgs/index.ts';
import { requestCollection } from '../authorize/request/request-record.ts';
import { spentCollection } from '../clients/index.ts';
import { codeCollection } from '../codes/code-record.ts';
import { leftConsents } from '../consent/forget-consents.ts';
import { deviceCollection } from '../device/device-record.ts';

const ending = [spentCollection, requestCollection, codeCollection, deviceCollection];

/**
 * Removes, in each organization, at most `limit` of each kind of what the protocol keeps for a time, and of consents to
 * clients that are gone. Answers whether there may be more.
 */
export function sweepProtocol(parts: WalkParts): SweepStep {
  return sweepOrganizations(parts, 'protocol', (store, limit, aside) => ({
    changes: [
      ...endedRecords(store, ending, { index: 'until', now: parts.clock.now(), limit, aside }),
      ...leftConsents(store, limit, aside),
    ],
  }));
}
