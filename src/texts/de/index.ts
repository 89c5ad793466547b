/** Readers are addressed as “Sie”. */

export { account } from './account.ts';
export { agents } from './agents.ts';
export { approvals } from './approvals.ts';
export { consent } from './consent.ts';
export { frame } from './frame.ts';
export { mails } from './mails.ts';
export { problems } from './problems.ts';
export { recovery } from './recovery.ts';
export { refusals } from './refusals.ts';
export { rights } from './rights.ts';
export { federation } from './sign-in/federation.ts';
export { links } from './sign-in/links.ts';
export { passwords } from './sign-in/passwords.ts';
export { secondFactor } from './sign-in/second-factor.ts';
export { signIn } from './sign-in/sign-in.ts';
export { signUp } from './sign-in/sign-up.ts';
