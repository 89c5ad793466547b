export { assertionAlgorithms } from './authentication/assertion.ts';
export { ClientAuthenticator } from './authentication/authenticator.ts';
export { clientAt, isActiveClient, subjectOf, subjectOfClient } from './records/client-at.ts';
export { optionOf } from './records/client-options.ts';
export {
  authMethods,
  type ClientDocument,
  type ClientEntry,
  type ClientRecord,
  clientOfRedirect,
  clientRecords,
  clientSubject,
  deviceCodeGrant,
  type GrantType,
  goneClientRecords,
  tokenExchangeGrant,
} from './records/client-record.ts';
export { createClientUse } from './records/client-use.ts';
export { standardScopes } from './records/fields.ts';
export { isRegisteredRedirect } from './records/redirect-uris.ts';
