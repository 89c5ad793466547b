import type { OrganizationDirectory } from '../../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import type { OutboundGuard, Sealer } from '../../../platform/index.ts';
import type { SigningKeys } from '../../../protocols/oauth/index.ts';

export interface TransmitterDependencies extends AdminDependencies {
  readonly directory: Pick<OrganizationDirectory, 'find'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly sealer: Sealer;
  readonly outbound: OutboundGuard;
  readonly keys: SigningKeys;
}

/** Below the organization's API. */
export const signalsBase = '/orgs/{orgId}/api/v1/ssf';

export const tags = ['Shared signals'];
