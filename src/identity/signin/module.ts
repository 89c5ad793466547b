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
import type { SignInDependencies } from './dependencies.ts';
import { signInPages } from './endpoints.ts';
import { flowRecords } from './flow/flow-record.ts';
import { linkRecords } from './links/link-record.ts';
import { mailCountRecords } from './links/mail-budget.ts';
import { waitingScript } from './links/sent-page.tsx';
import { strengthScript } from './new-password/strength.ts';
import { webAuthnScripts } from './second-factor/webauthn-form.tsx';
import type { SignIn } from './sign-in.ts';
import { userLogin, userLoginFailed } from './signin-events.ts';

interface SignInServices {
  readonly signIn: { readonly dependencies: SignInDependencies; readonly signIn: SignIn };
}

/** The pages of sign-in, and what all pages load. */
export const signInModule: Module<SignInServices> = {
  name: 'sign-in',
  records: [flowRecords, linkRecords, mailCountRecords],
  events: [userLogin, userLoginFailed],
  pages: ({ signIn }) => [
    assetEndpoint([pagesCss, accountCss, pagesScript, icon, waitingScript, strengthScript, ...webAuthnScripts]),
    brandingEndpoint(signIn.dependencies),
    ...frontEndpoints(signIn.dependencies),
    ...signInPages(signIn),
  ],
};
