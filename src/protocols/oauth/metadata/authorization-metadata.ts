import { z } from 'zod';
import { promptsWhere, responseModes } from '../authorize/request/authorization-request.ts';
import { claimScopes, permissionsScope, userClaimNames } from '../claims/index.ts';
import { authenticationClasses } from '../id-tokens/index.ts';
import { algorithmNames } from '../signing/index.ts';

const texts = z.array(z.string());

/** Members about authorization requests and what they lead to. */
export const authorizationMembers = {
  authorization_endpoint: z.string(),
  pushed_authorization_request_endpoint: z.string(),
  require_pushed_authorization_requests: z.literal(false),
  userinfo_endpoint: z.string(),
  scopes_supported: texts,
  claims_supported: texts,
  claim_types_supported: texts,
  claims_parameter_supported: z.literal(true),
  response_types_supported: texts,
  response_modes_supported: texts,
  code_challenge_methods_supported: texts,
  prompt_values_supported: texts,
  acr_values_supported: texts,
  subject_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  authorization_response_iss_parameter_supported: z.literal(true),
  request_parameter_supported: z.literal(false),
  request_uri_parameter_supported: z.literal(false),
} as const;

/** Claims of every ID token. */
const always = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'at_hash', 'sid'];

/**
 * @param api `{issuer}/api/v1`
 * @param allowSignup whether people may make themselves an account
 */
export function authorizationMetadata(
  api: string,
  allowSignup: boolean,
): z.output<z.ZodObject<typeof authorizationMembers>> {
  return {
    authorization_endpoint: `${api}/oauth/authorize`,
    pushed_authorization_request_endpoint: `${api}/oauth/par`,
    require_pushed_authorization_requests: false,
    userinfo_endpoint: `${api}/oauth/userinfo`,
    scopes_supported: ['openid', ...Object.keys(claimScopes), permissionsScope, 'offline_access'],
    claims_supported: [...always, ...userClaimNames],
    claim_types_supported: ['normal'],
    claims_parameter_supported: true,
    response_types_supported: ['code'],
    response_modes_supported: [...responseModes],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: [...promptsWhere(allowSignup)],
    acr_values_supported: [...authenticationClasses],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...algorithmNames],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}
