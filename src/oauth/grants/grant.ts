import type { RequestFacts } from '../../audit/index.ts';
import type { Organization } from '../../orgs/index.ts';
import type { ClientEntry, GrantType } from '../clients/index.ts';
import type { ProtocolParts } from '../protocol/parts.ts';
import type { TokenResponse } from '../tokens/index.ts';

/** Parameters of a token request beside those that authenticate the client. */
export interface TokenForm {
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
}

export interface TokenRequest {
  readonly organization: Organization;
  /** Authenticated, and registered for this grant. */
  readonly client: ClientEntry;
  readonly form: TokenForm;
  readonly facts: RequestFacts;
}

/** One way to get tokens. */
export interface Grant {
  readonly type: GrantType;
  /** @throws ProblemError with an error of RFC 6749, 5.2 */
  issue(parts: ProtocolParts, request: TokenRequest): Promise<TokenResponse>;
}
