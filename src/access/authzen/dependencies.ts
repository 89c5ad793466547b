import type { ElevationDependencies } from '../../directory/elevations/index.ts';
import type { OrganizationDirectory } from '../../kernel/organizations/index.ts';
import type { Sealer } from '../../platform/index.ts';
import type { AuthzDependencies } from '../decisions/index.ts';

/** What the endpoints of AuthZEN work with. */
export interface AuthZenDependencies extends AuthzDependencies, ElevationDependencies {
  readonly directory: OrganizationDirectory;
  readonly sealer: Pick<Sealer, 'mac'>;
}

export const tags = ['AuthZEN'];
