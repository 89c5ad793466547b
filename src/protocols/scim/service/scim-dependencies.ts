import type { UserDependencies } from '../../../directory/users/index.ts';

/** What the endpoints of SCIM work with. */
export type ScimDependencies = UserDependencies;
