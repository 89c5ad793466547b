import type { Store } from '#engine';
import type { ClientEntry } from '../../clients/index.ts';
import type { IdTokenHint } from '../../id-tokens/index.ts';
import type { IssuerUrls } from '../../issuer.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';
import type { RequestParameters } from '../request/parameters.ts';

/** What a check sees. */
export interface Asked {
  readonly parameters: RequestParameters;
  readonly client: ClientEntry;
  readonly store: Store;
  readonly urls: IssuerUrls;
  readonly requirePkce: boolean;
  /** Whether people may make themselves an account. */
  readonly allowSignup: boolean;
  /** What `id_token_hint` says, proved; `undefined` where it is not one of this provider's for this client. */
  readonly hint: IdTokenHint | undefined;
  /** What the checks before this one have found. */
  readonly found: Partial<AuthorizationRequest>;
}

/**
 * One rule: what it finds in the request, or a refusal that the client is told of. Inside a snapshot.
 * @throws ProblemError with an error of RFC 6749, 4.1.2.1, or of an extension of it
 */
export type Check = (asked: Asked) => Partial<AuthorizationRequest>;
