import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { ClientEntry, GrantType } from '../clients/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import type { TokenResponse } from '../tokens/index.ts';

/** Parameters of a token request beside those that authenticate the client. */
export interface TokenForm {
  readonly scope?: string | undefined;
  readonly code?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly code_verifier?: string | undefined;
  readonly refresh_token?: string | undefined;
  readonly device_code?: string | undefined;
  readonly subject_token?: string | undefined;
  readonly subject_token_type?: string | undefined;
  readonly actor_token?: string | undefined;
  readonly actor_token_type?: string | undefined;
  readonly requested_token_type?: string | undefined;
  readonly audience?: string | undefined;
  readonly assertion?: string | undefined;
  readonly jit_task_id?: string | undefined;
}

export interface TokenRequest {
  readonly organization: Organization;
  /** Authenticated, and registered for this grant. */
  readonly client: ClientEntry;
  readonly form: TokenForm;
  /** Whom the token is for (RFC 8707), as it was sent. */
  readonly resource?: string | undefined;
  /** A key that the client has just proved to hold (RFC 9449), where it did. */
  readonly proof?: { readonly jkt: string } | undefined;
  readonly facts: RequestFacts;
}

/** One way to get tokens. */
export interface Grant {
  readonly type: GrantType;
  /** @throws ProblemError with an error of RFC 6749, 5.2 */
  issue(dependencies: ProtocolDependencies, request: TokenRequest): Promise<TokenResponse>;
}
