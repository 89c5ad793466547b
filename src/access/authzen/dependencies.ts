import type { ElevationDependencies } from '../../directory/elevations/index.ts';
import type { OrganizationDirectory } from '../../kernel/organizations/index.ts';
import type { SigningKeys } from '../../protocols/oauth/index.ts';
import type { AuthzDependencies } from '../decisions/index.ts';

/** What the endpoints of AuthZEN work with. */
export interface AuthZenDependencies extends AuthzDependencies, ElevationDependencies {
  readonly directory: OrganizationDirectory;
  /** With them binding tokens and states of approvals are signed. */
  readonly keys: Pick<SigningKeys, 'signer'>;
}

export const tags = ['AuthZEN'];
