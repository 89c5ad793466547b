export { mfaChallenged } from './changes/happenings.ts';
export { phoneNumber } from './codes/phone-number.ts';
export { Mfa } from './mfa.ts';
export type { Enrolled, MfaParts, Proven, Refusal, Whose } from './parts.ts';
export { type Demand, demandOf, graceEnd } from './records/demand.ts';
export { type Method, offeredMethods } from './records/methods.ts';
export { type FactorView, listFactors } from './records/views.ts';
export { sweepFactorCodes } from './sweep.ts';
