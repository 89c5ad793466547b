import { factorStep } from './factor-step.ts';
import { passwordStep } from './password-step.ts';
import { profileStep } from './profile-step.ts';
import type { Step } from './step.ts';

/** What comes between the first proof and the session, in this order. */
export const signInSteps: readonly Step[] = [factorStep, passwordStep, profileStep];
