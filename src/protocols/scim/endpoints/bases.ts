import type { Endpoint } from '../../../http/index.ts';
import type { Family } from '../../../kernel/lists/index.ts';

/** Where SCIM stands in each family (specification, SCIM 2.0). */
export const scimBases = { tenant: '/t/{tenant}/scim/v2', org: '/orgs/{orgId}/scim2.0' } as const;

export type ScimBase = (typeof scimBases)[Family];

/** The same endpoints at both bases. */
export function atBothBases(make: (base: ScimBase) => readonly Endpoint[]): Endpoint[] {
  return [...make(scimBases.tenant), ...make(scimBases.org)];
}

/** The URL of a base for one organization, without a slash at the end. */
export function baseUrlOf(baseUrl: string, base: ScimBase, slug: string): string {
  return baseUrl + base.replace(/\{\w+\}/, slug);
}

const below = /^\/(?:t\/([^/]+)\/scim\/v2|orgs\/([^/]+)\/scim2\.0)(?:\/|$)/;

/** Whether a path lies below a base, so that there errors have the form of the protocol. */
export function isScimPath(path: string): boolean {
  return below.test(path);
}

/** The organization that a path below a base names. */
export function organizationAt(path: string): string | undefined {
  const [, tenant, orgId] = below.exec(path) ?? [];
  return tenant ?? orgId;
}
