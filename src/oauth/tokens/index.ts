export { issueAccessToken, type TokenIssuance, type TokenResponse } from './access-token.ts';
export { TokenVerifier, type VerifiedToken } from './verify-token.ts';
