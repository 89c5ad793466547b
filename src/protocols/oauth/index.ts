import { requestRecords } from './authorize/request/request-record.ts';
import { clientRecords, goneClientRecords, spentAssertionRecords } from './clients/index.ts';
import { codeRecords } from './codes/code-record.ts';
import { consentRecords } from './consent/consent-record.ts';
import { deviceRecords } from './device/device-record.ts';
import { deliveryRecords } from './logout/delivery-record.ts';
import { signingKeyRecords } from './signing/index.ts';

export { applicationEndpoints } from './applications/application-endpoints.ts';
export { applicationPages } from './applications/application-pages.tsx';
export { authorizationEndpoints, authorizationPages } from './authorization-endpoints.ts';
export type { AuthorizationParts } from './authorize/parts.ts';
export { permissionsScope } from './claims/index.ts';
export {
  ClientAuthenticator,
  clientEndpoints,
  clientRecords,
  clientWork,
  createClientUse,
  isRegisteredRedirect,
  registrationEndpoints,
} from './clients/index.ts';
export { ProofChecker, proofAlgorithms } from './dpop/index.ts';
export { sweepProtocol } from './lifecycle/sweep-protocol.ts';
export { signOutPages } from './logout/end-session-endpoints.ts';
export { LogoutNotifier } from './logout/logout-notifier.ts';
export type { ProtocolParts } from './protocol/parts.ts';
export { protocolEndpoints } from './protocol-endpoints.ts';
export { rotateSigningKeys, SigningKeys } from './signing/index.ts';
export { TokenVerifier, type VerifiedToken } from './tokens/index.ts';

/** What this room keeps. */
export const oauthRecords = [
  signingKeyRecords,
  clientRecords,
  goneClientRecords,
  spentAssertionRecords,
  requestRecords,
  consentRecords,
  codeRecords,
  deviceRecords,
  deliveryRecords,
];
