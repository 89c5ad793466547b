export {
  type ActClaim,
  actClaim,
  signAccessToken,
  type TokenIssuance,
  type TokenResponse,
  tokenResponse,
} from './access-token.ts';
export { type GrantText, grantText, readGrantText } from './grant-text.ts';
export {
  accessOf,
  issuedPart,
  issuer,
  issueTokens,
  type TokenOrder,
} from './issue-tokens.ts';
export { goodUntil, TokenVerifier, tokenAsRead, type VerifiedToken } from './verify-token.ts';
