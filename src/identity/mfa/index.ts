import { codeRecords } from './codes/code-record.ts';
import { spentChallengeRecords } from './webauthn/challenge.ts';

export { mfaChallenged } from './changes/happenings.ts';
export type { CodePurpose } from './codes/code-record.ts';
export type { Pending } from './codes/codes.ts';
export { phoneNumber } from './codes/phone-number.ts';
export { factorEndpoints } from './endpoints/factor-endpoint.ts';
export { Mfa } from './mfa.ts';
export type { Enrolled, Proven, Refusal, Whose } from './parts.ts';
export { type Demand, demandOf, graceEnd } from './records/demand.ts';
export { type Method, offeredMethods, usableFactors } from './records/methods.ts';
export { type FactorView, listFactors } from './records/views.ts';
export type { TotpOffer } from './totp/totp-factors.ts';
export { RESPONSE_MAX } from './webauthn/responses.ts';

/** What this room keeps. */
export const mfaRecords = [codeRecords, spentChallengeRecords];
