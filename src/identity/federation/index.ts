import { arrivalRecords, attemptRecords, proofRecords } from './flow/attempt-record.ts';
import { identityRecords } from './identities/identity-record.ts';

export { Federation, type OwnIdentities, type OwnIdentity } from './federation.ts';
export { federationEndpoints } from './flow/endpoints.ts';
export { identityEndpoints } from './identities/admin-endpoints.ts';
export { disownIdentities } from './identities/link.ts';
export type { FederationParts } from './parts.ts';
export { samlUpstream } from './saml/saml-upstream.ts';
export { sweepFederation } from './sweep.ts';
export type { Route } from './upstreams/reach.ts';
export { upstreamsOf } from './upstreams/upstream-types.ts';

/** What this room keeps. */
export const federationRecords = [attemptRecords, arrivalRecords, proofRecords, identityRecords];
