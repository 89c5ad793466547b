export { applicationEndpoints } from './applications/application-endpoints.ts';
export { type ConnectedApplication, connectedApplications, disconnectOwn } from './applications/connected.ts';
export { authorizationEndpoints, authorizationPages } from './authorization-endpoints.ts';
export type { AuthorizationParts } from './authorize/parts.ts';
export { permissionsScope } from './claims/index.ts';
export {
  ClientAuthenticator,
  clientEndpoints,
  clientWork,
  clientWrite,
  createClientUse,
  getClient,
  isRegisteredRedirect,
  registrationEndpoints,
} from './clients/index.ts';
export { describedScopes } from './consent/described-scopes.ts';
export { forgetConsents } from './consent/forget-consents.ts';
export { ProofChecker, proofAlgorithms } from './dpop/index.ts';
export { sweepProtocol } from './lifecycle/sweep-protocol.ts';
export { signOutPages } from './logout/end-session-endpoints.ts';
export { LogoutNotifier } from './logout/logout-notifier.ts';
export type { ProtocolParts } from './protocol/parts.ts';
export { protocolEndpoints } from './protocol-endpoints.ts';
export { rotateSigningKeys, SigningKeys } from './signing/index.ts';
export { TokenVerifier, type VerifiedToken } from './tokens/index.ts';
