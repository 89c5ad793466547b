import type { UserDependencies } from '../../../directory/users/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';

/** What the endpoints of SCIM work with. */
export type ScimDependencies = UserDependencies;

/** Who asks for one operation, and what must still hold. */
export interface ScimRequest {
  readonly caller: Caller;
  readonly facts: RequestFacts;
  /** The URL that SCIM's paths of the organization begin with, in the family of the request. */
  readonly base: string;
  /** `If-Match`, or `version` in a bulk request; absent where any version will do. */
  readonly ifMatch?: string | undefined;
}
