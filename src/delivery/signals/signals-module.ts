import { type ListServices, type Module, ofResource, steppedJob } from '../../kernel/modules/index.ts';
import type { WalkDependencies } from '../../kernel/organizations/index.ts';
import type { ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import type { SigningKeys } from '../../protocols/oauth/index.ts';
import { streamAdminEndpoints, streamListQuery } from './admin/stream-admin-endpoints.ts';
import { issuer } from './receiver/admin/issuer.ts';
import { type ReceiverDependencies, receiveEndpoint } from './receiver/receive-endpoint.ts';
import { issuerUseRecords, receivedRecords } from './receiver/records/issuer-record.ts';
import { streamRecords, streamVerification } from './records/stream-record.ts';
import { subjectRecords } from './records/subject-record.ts';
import { positionRecords, waitingRecords } from './records/waiting-record.ts';
import { sweepStreams } from './sweep-streams.ts';
import { metadataEndpoints } from './transmitter/metadata-endpoints.ts';
import { pollEndpoint } from './transmitter/poll-endpoint.ts';
import { statusEndpoints, streamEndpoints } from './transmitter/stream-endpoints.ts';
import { subjectEndpoints, verificationEndpoint } from './transmitter/subject-endpoints.ts';
import type { TransmitterDependencies } from './transmitter/transmitter-endpoint.ts';

type SignalServices = Omit<TransmitterDependencies, 'keys'> &
  ReceiverDependencies &
  ResourceEndpointDependencies & { readonly oauth: { readonly keys: SigningKeys } };

const issuers = ofResource(issuer);

/** Shared signals (SSF 1.0): security events that an organization transmits, and those that it receives. */
export const signalsModule: Module<SignalServices, ListServices, WalkDependencies> = {
  name: 'signals',
  records: [
    streamRecords,
    subjectRecords,
    waitingRecords,
    positionRecords,
    issuer.records,
    receivedRecords,
    issuerUseRecords,
  ],
  events: [streamVerification],
  endpoints(services) {
    const transmitter = { ...services, keys: services.oauth.keys };
    return [
      ...metadataEndpoints(transmitter),
      ...streamEndpoints(transmitter),
      ...statusEndpoints(transmitter),
      ...subjectEndpoints(transmitter),
      verificationEndpoint(transmitter),
      pollEndpoint(transmitter),
      ...streamAdminEndpoints(services),
      ...issuers.endpoints(services),
      receiveEndpoint(services),
    ];
  },
  queries: (services) => [streamListQuery(services.lists), ...issuers.queries(services)],
  jobs: [steppedJob({ name: 'signal_streams', runs: 'in the cluster' }, sweepStreams)],
};
