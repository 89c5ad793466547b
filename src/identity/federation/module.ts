import { type Module, steppedJob } from '../../kernel/modules/index.ts';
import type { WalkDependencies } from '../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import type { FederationDependencies } from './dependencies.ts';
import { arrivalRecords, attemptRecords, proofRecords } from './flow/attempt-record.ts';
import { federationEndpoints } from './flow/endpoints.ts';
import { identityEndpoints } from './identities/admin-endpoints.ts';
import { identityLinked, identityUnlinked } from './identities/identity-events.ts';
import { identityRecords } from './identities/identity-record.ts';
import { sweepFederation } from './sweep.ts';

interface FederationServices extends AdminDependencies {
  readonly federation: { readonly dependencies: FederationDependencies };
}

/** Signing in through providers, and the identities that are linked with users. */
export const federationModule: Module<FederationServices, unknown, WalkDependencies> = {
  name: 'federation',
  records: [attemptRecords, arrivalRecords, proofRecords, identityRecords],
  events: [identityLinked, identityUnlinked],
  endpoints: identityEndpoints,
  pages: ({ federation }) => federationEndpoints(federation.dependencies),
  jobs: [steppedJob({ name: 'gone_providers', runs: 'in the cluster' }, sweepFederation)],
};
