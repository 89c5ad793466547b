export type { Visitor } from './browser/visitor.ts';
export { type VisitorSpec, type VisitorVisit, visitorEndpoint } from './browser/visitor-endpoint.ts';
export { withoutSession } from './finish.ts';
export type { FlowEntry, Purpose } from './flow/flow-record.ts';
export { sweepSignIns } from './flow/sweep.ts';
export type { SignInParts } from './parts.ts';
export { type Proof, SignIn } from './sign-in.ts';
export { signInSteps } from './steps/table.ts';
