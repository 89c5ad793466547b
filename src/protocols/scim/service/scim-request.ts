import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';

/** Who asks for one operation, and what must still hold. */
export interface ScimRequest {
  readonly caller: Caller;
  readonly facts: RequestFacts;
  /** The URL that SCIM's paths of the organization begin with, in the family of the request. */
  readonly base: string;
  /** `If-Match`, or `version` in a bulk request; absent where any version will do. */
  readonly ifMatch?: string | undefined;
}
