import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../../../kernel/organizations/index.ts';
import { leftConsents } from '../consent/left-consents.ts';

/**
 * Removes, in each organization, at most `limit` consents to clients that are gone. Answers whether there may be more.
 */
export function sweepProtocol(dependencies: WalkDependencies): SweepStep {
  return sweepOrganizations(dependencies, 'consents', {
    plan: (store, limit, aside) => ({ changes: leftConsents(store, limit, aside) }),
  });
}
