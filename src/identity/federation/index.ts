export { Federation, type OwnIdentities, type OwnIdentity } from './federation.ts';
export { findIdentity, identitiesOf } from './identities/identity-record.ts';
export { disownIdentities } from './identities/link.ts';
export { federationModule } from './module.ts';
export { samlUpstream } from './saml/saml-upstream.ts';
export type { Route } from './upstreams/reach.ts';
export { upstreamsOf } from './upstreams/upstream-types.ts';
