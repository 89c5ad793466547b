export { clientEndpoints } from './admin/client-endpoints.ts';
export { clientWork } from './admin/client-list.ts';
export { assertionAlgorithms } from './authentication/assertion.ts';
export { ClientAuthenticator } from './authentication/authenticator.ts';
export { spentCollection } from './authentication/spent-assertions.ts';
export { goneClientCollection } from './records/client-changes.ts';
export { optionOf } from './records/client-options.ts';
export {
  authMethods,
  type ClientEntry,
  type ClientRecord,
  clientCollection,
  clientOfRedirect,
  clientSubject,
  clientWrite,
  deviceCodeGrant,
  type GrantType,
  getClient,
  tokenExchangeGrant,
} from './records/client-record.ts';
export { createClientUse } from './records/client-use.ts';
export { isRegisteredRedirect } from './records/redirect-uris.ts';
export { registrationEndpoints } from './registration/registration-endpoints.ts';
