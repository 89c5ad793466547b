export { accessTokenType, type TokenIssuance, type TokenResponse } from './access-token.ts';
export { type Also, type IssuedIds, type IssuedTokens, issueTokens, type TokenOrder } from './issue-tokens.ts';
export { TokenVerifier, type VerifiedToken } from './verify-token.ts';
