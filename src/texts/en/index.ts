import { account } from './account.ts';
import { agents } from './agents.ts';
import { approvals } from './approvals.ts';
import { consent } from './consent.ts';
import { frame } from './frame.ts';
import { mails } from './mails.ts';
import { problems } from './problems.ts';
import { recovery } from './recovery.ts';
import { refusals } from './refusals.ts';
import { rights } from './rights.ts';
import { federation } from './sign-in/federation.ts';
import { links } from './sign-in/links.ts';
import { passwords } from './sign-in/passwords.ts';
import { secondFactor } from './sign-in/second-factor.ts';
import { signIn } from './sign-in/sign-in.ts';
import { signUp } from './sign-in/sign-up.ts';

/** Every text, by area. What the other languages must have, and what stands in where one is not spoken. */
export const english = {
  account,
  agents,
  approvals,
  consent,
  frame,
  mails,
  problems,
  recovery,
  refusals,
  rights,
  federation,
  links,
  passwords,
  secondFactor,
  signIn,
  signUp,
} as const;
