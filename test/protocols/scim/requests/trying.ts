import { InFamily } from '../../../server/in-family.ts';
import type { Provisioned } from '../provisioning/organization.ts';

interface Outcome {
  readonly status: number;
  readonly response: Record<string, unknown> | null;
  readonly changes: readonly Record<string, unknown>[];
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

export async function validated(org: Provisioned, asked: Asked, family: 'org' | 'tenant' = 'org'): Promise<Outcome> {
  const admin = new InFamily(org.admin.org, family);
  return admin.make<Outcome>('POST', '/scim/validate', asked);
}

export const patch = (...operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
});

/** What is there, as administrators and SCIM see it, and how much has been committed. */
export async function everything(org: Provisioned): Promise<unknown> {
  const [users, groups] = [await org.send('GET', '/Users'), await org.send('GET', '/Groups')];
  const log = await org.admin.call('GET', '/audit-logs?limit=100');
  return [users.body, groups.body, log.list('data.data').length];
}
