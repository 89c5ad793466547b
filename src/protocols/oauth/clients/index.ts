export { claimsOfAssertion, type ProvedAssertion, proveAssertion } from './authentication/assertion.ts';
export { type ClientAuthDependencies, ClientAuthenticator } from './authentication/authenticator.ts';
export type { ClientForm } from './authentication/presented.ts';
export { spentAssertionRecords } from './authentication/spent-assertions.ts';
export { ClientDocuments } from './documents/client-documents.ts';
export { documentHost, documentText } from './documents/document-address.ts';
export { sweepDocuments } from './documents/sweep-documents.ts';
export {
  clientAt,
  createClientUse,
  isActiveClient,
  isServed,
  resourcesOf,
  subjectOfClient,
} from './records/client-at.ts';
export { type ClientOptions, optionOf } from './records/client-options.ts';
export {
  authMethods,
  type ClientDocument,
  type ClientEntry,
  type ClientRecord,
  clientOfRedirect,
  clientRecords,
  clientSubject,
  comesByItself,
  deviceCodeGrant,
  type GrantType,
  goneClientRecords,
  jwtBearerGrant,
  tokenExchangeGrant,
} from './records/client-record.ts';
export { standardScopes } from './records/fields.ts';
export { isOnDevice, isRegisteredRedirect } from './records/redirect-uris.ts';
