export {
  ClientAuthenticator,
  clientEndpoints,
  clientWork,
  createClientUse,
  isRegisteredRedirect,
  registrationEndpoints,
  sweepAssertions,
} from './clients/index.ts';
export { LogoutNotifier } from './logout/logout-notifier.ts';
export type { ProtocolParts } from './protocol/parts.ts';
export { protocolEndpoints } from './protocol-endpoints.ts';
export { rotateSigningKeys, SigningKeys } from './signing/index.ts';
export { TokenVerifier, type VerifiedToken } from './tokens/index.ts';
