import type { Module } from '../../kernel/modules/index.ts';
import {
  accountCss,
  assetEndpoint,
  brandingEndpoint,
  frontEndpoints,
  icon,
  pagesCss,
  pagesScript,
} from '../pages/index.ts';
import { newPasswordEndpoints } from './completion/new-password-endpoints.ts';
import { profileEndpoints } from './completion/profile-endpoints.tsx';
import type { SignInDependencies } from './dependencies.ts';
import { signInEndpoints } from './first-factor/sign-in-endpoints.ts';
import { flowRecords } from './flow-record.ts';
import { linkRecords } from './links/link-record.ts';
import { magicLinkEndpoints } from './links/magic-link-endpoints.tsx';
import { mailCountRecords } from './links/mail-budget.ts';
import { sentEndpoints, waitingScript } from './links/sent-page.tsx';
import { strengthEndpoint, strengthScript } from './new-password/strength.ts';
import { passkeyEndpoint } from './passkey.tsx';
import { forgottenEndpoints } from './recovery/forgotten-endpoints.ts';
import { mailedLinkEndpoints } from './recovery/mailed-link-endpoints.tsx';
import { challengeEndpoints } from './second-factor/challenge-endpoints.ts';
import { enrolEndpoints } from './second-factor/enrol-endpoints.tsx';
import { webAuthnScripts } from './second-factor/webauthn-form.tsx';
import type { SignIn } from './sign-in.ts';
import { userLogin, userLoginFailed } from './signin-events.ts';
import { signupEndpoints } from './signup/signup-endpoints.tsx';

interface SignInServices {
  readonly signIn: { readonly dependencies: SignInDependencies; readonly signIn: SignIn };
}

/** The pages of sign-in, and what all pages load. */
export const signInModule: Module<SignInServices> = {
  name: 'sign-in',
  records: [flowRecords, linkRecords, mailCountRecords],
  events: [userLogin, userLoginFailed],
  pages({ signIn: { dependencies, signIn } }) {
    const pages = { ...dependencies, signIn };
    return [
      assetEndpoint([pagesCss, accountCss, pagesScript, icon, waitingScript, strengthScript, ...webAuthnScripts]),
      brandingEndpoint(dependencies),
      ...frontEndpoints(dependencies),
      ...signInEndpoints(pages),
      ...sentEndpoints(pages),
      ...magicLinkEndpoints(pages),
      ...signupEndpoints(pages),
      ...forgottenEndpoints(pages),
      ...mailedLinkEndpoints(pages),
      passkeyEndpoint(pages),
      ...challengeEndpoints(pages),
      ...enrolEndpoints(pages),
      ...newPasswordEndpoints(pages),
      strengthEndpoint(dependencies),
      ...profileEndpoints(pages),
    ];
  },
};
