import { flowRecords } from './flow/flow-record.ts';
import { linkRecords } from './links/link-record.ts';
import { mailCountRecords } from './links/mail-budget.ts';

export type { Visitor } from './browser/visitor.ts';
export { type VisitorSpec, type VisitorVisit, visitorEndpoint } from './browser/visitor-endpoint.ts';
export { signInPages } from './endpoints.ts';
export { withoutSession } from './finish.ts';
export type { FlowEntry, Purpose } from './flow/flow-record.ts';
export type { SignInParts } from './parts.ts';
export { policyHint } from './recovery/password-form.tsx';
export { EnrolForm, methodLabels } from './second-factor/enrol-page.tsx';
export { enrol, enrolFields, enrolmentFor, methodSchema, purposeOf, sendFields } from './second-factor/enrolment.ts';
export { RecoveryCodeList } from './second-factor/recovery-code-list.tsx';
export { faultOfProblem, refusedWith } from './second-factor/refusals.ts';
export { webAuthnScripts } from './second-factor/webauthn-form.tsx';
export { SignIn } from './sign-in.ts';
export { signInSteps } from './steps/table.ts';

/** What this room keeps. */
export const signinRecords = [flowRecords, linkRecords, mailCountRecords];
