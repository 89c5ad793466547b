export { type ClientEndpointParts, clientEndpoints } from './admin/client-endpoints.ts';
export { clientWork } from './admin/client-list.ts';
export { assertionAlgorithms } from './authentication/assertion.ts';
export { ClientAuthenticator } from './authentication/authenticator.ts';
export { sweepAssertions } from './authentication/spent-assertions.ts';
export {
  type AuthMethod,
  authMethods,
  type ClientEntry,
  type ClientRecord,
  clientSubject,
  deviceCodeGrant,
  type GrantType,
  getClient,
  grantTypes,
  tokenExchangeGrant,
} from './records/client-record.ts';
export { createClientUse } from './records/client-use.ts';
export { isRegisteredRedirect } from './records/redirect-uris.ts';
export { type RegistrationEndpointParts, registrationEndpoints } from './registration/registration-endpoints.ts';
