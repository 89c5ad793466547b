export { permissionsScope } from './claims/index.ts';
export { clientsModule } from './clients/clients-module.ts';
export {
  type ClientAuthDependencies,
  ClientAuthenticator,
  ClientDocuments,
  clientAt,
  clientRecords,
  clientSubject,
  createClientUse,
  isRegisteredRedirect,
} from './clients/index.ts';
export { ProofChecker, proofAlgorithms } from './dpop/index.ts';
export { issuerUrls } from './issuer.ts';
export { LogoutNotifier } from './logout/logout-notifier.ts';
export { oauthModule } from './module.ts';
export type { AuthorizationDependencies, ProtocolDependencies } from './protocol/dependencies.ts';
export { assertionAlgorithms, FetchedDocuments, KeysUnavailableError, RemoteKeys } from './remote-keys/index.ts';
export { SigningKeys, signJwt, verifyOwnJwt } from './signing/index.ts';
export { goodUntil, TokenVerifier, tokenAsRead, type VerifiedToken } from './tokens/index.ts';
