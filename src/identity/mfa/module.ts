import type { Module } from '../../kernel/modules/index.ts';
import { mfaChallenged, mfaFailed, mfaVerified } from './changes/mfa-events.ts';
import { codeRecords } from './codes/code-record.ts';
import { factorEndpoints } from './endpoints/factor-endpoint.ts';
import type { Mfa } from './mfa.ts';
import { spentChallengeRecords } from './webauthn/challenge.ts';

/** The second factors of users, as administrators see them. */
export const mfaModule: Module<{ readonly mfa: Mfa }> = {
  name: 'mfa',
  records: [codeRecords, spentChallengeRecords],
  events: [mfaChallenged, mfaVerified, mfaFailed],
  endpoints: ({ mfa }) => factorEndpoints(mfa.dependencies, mfa.recovery),
};
