import type { Module } from '../../kernel/modules/index.ts';
import type { SigningKeys } from '../../protocols/oauth/index.ts';
import { streamRecords } from './records/stream-record.ts';
import { streamVerification } from './records/stream-verification.ts';
import { subjectRecords } from './records/subject-record.ts';
import { positionRecords, waitingRecords } from './records/waiting-record.ts';
import { metadataEndpoints } from './transmitter/metadata-endpoints.ts';
import { pollEndpoint } from './transmitter/poll-endpoint.ts';
import { statusEndpoints } from './transmitter/status-endpoints.ts';
import { streamEndpoints } from './transmitter/stream-endpoints.ts';
import { subjectEndpoints } from './transmitter/subject-endpoints.ts';
import type { TransmitterDependencies } from './transmitter/transmitter-dependencies.ts';
import { verificationEndpoint } from './transmitter/verification-endpoint.ts';

type SignalServices = Omit<TransmitterDependencies, 'keys'> & { readonly oauth: { readonly keys: SigningKeys } };

/** Shared signals (SSF 1.0): security events that an organization transmits. */
export const signalsModule: Module<SignalServices> = {
  name: 'signals',
  records: [streamRecords, subjectRecords, waitingRecords, positionRecords],
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
    ];
  },
};
