import { z } from 'zod';
import { formText } from '../../../http/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { ClientEntry, GrantType } from '../clients/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import type { TokenResponse } from '../tokens/index.ts';

/** What is exchanged (RFC 8693, 3): of a delegation, its id. */
export const accessTokenUri = 'urn:ietf:params:oauth:token-type:access_token';
export const idTokenUri = 'urn:ietf:params:oauth:token-type:id_token';
export const idJagUri = 'urn:ietf:params:oauth:token-type:id-jag';
export const delegationUri = 'urn:relata:params:oauth:token-type:delegation';

const TOKEN_MAX = 8192;
const RESOURCES_MAX = 10;

/** Parameters of a token request beside those that authenticate the client. */
export const tokenFields = {
  scope: formText(8192).describe('Names apart by spaces; everything that the client may have where it is left out'),
  resource: z
    .union([formText(2048), z.array(z.string().max(2048)).max(RESOURCES_MAX)])
    .describe('The API that the token is for (RFC 8707); the organization’s own where it is left out'),
  code: formText(256).describe('authorization_code: the code'),
  redirect_uri: formText(2048).describe('authorization_code: that of the authorization request'),
  code_verifier: formText(256).describe('authorization_code: what the challenge was made of (RFC 7636)'),
  refresh_token: formText(TOKEN_MAX).describe('refresh_token: the last one; it is good once'),
  device_code: formText(TOKEN_MAX).describe('device_code (RFC 8628)'),
  subject_token: formText(TOKEN_MAX).describe(
    'token-exchange: an access token of the user or client, an ID token, or the id of a delegation',
  ),
  subject_token_type: formText(256).describe(
    `token-exchange: ${accessTokenUri} or ${delegationUri}; for an assertion ${idTokenUri}`,
  ),
  actor_token: formText(TOKEN_MAX).describe('token-exchange: an access token that the client has for itself'),
  actor_token_type: formText(256).describe(`token-exchange: ${accessTokenUri}`),
  requested_token_type: formText(256).describe(`token-exchange: ${accessTokenUri}, or ${idJagUri} for an assertion`),
  audience: formText(2048).describe(
    'token-exchange: the same as `resource`; for an assertion the authorization server that it is for',
  ),
  assertion: formText(TOKEN_MAX).describe('jwt-bearer: an identity assertion of an issuer that is believed'),
  jit_task_id: formText(256).describe('token-exchange: a task of the agent that was approved'),
};

export type TokenForm = Readonly<z.output<z.ZodObject<typeof tokenFields>>>;

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
  /** Whether it may wait for somebody else's server: then it waits for no turn and takes nobody's. */
  readonly asksOthers?: boolean;
  /** @throws ProblemError with an error of RFC 6749, 5.2: at once, or by its promise */
  issue(dependencies: ProtocolDependencies, request: TokenRequest): Promise<TokenResponse>;
}
