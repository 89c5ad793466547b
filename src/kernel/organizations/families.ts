import type { Endpoint } from '../../http/index.ts';
import type { Family } from '../lists/index.ts';

/** Where an organization's own endpoints stand: two families of paths over the same data. */
export const familyBases = { tenant: '/t/{tenant}/api/v1', org: '/orgs/{orgId}/api/v1' } as const;

export type FamilyBase = (typeof familyBases)[Family];

/** The same endpoints in both families. */
export function inBothFamilies(make: (base: FamilyBase, family: Family) => readonly Endpoint[]): Endpoint[] {
  return [...make(familyBases.tenant, 'tenant'), ...make(familyBases.org, 'org')];
}
