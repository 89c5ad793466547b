import type { Endpoint } from '../../http/index.ts';
import { newPasswordEndpoints } from './completion/new-password-endpoints.ts';
import { profileEndpoints } from './completion/profile-endpoints.tsx';
import { signInEndpoints } from './first-factor/sign-in-endpoints.ts';
import { magicLinkEndpoints } from './links/magic-link-endpoints.tsx';
import { sentEndpoints } from './links/sent-page.tsx';
import { strengthEndpoint } from './new-password/strength.ts';
import type { SignInPageDependencies } from './pages-dependencies.ts';
import { passkeyEndpoint } from './passkey/passkey-endpoint.tsx';
import { forgottenEndpoints } from './recovery/forgotten-endpoints.ts';
import { mailedLinkEndpoints } from './recovery/mailed-link-endpoints.tsx';
import { secondFactorEndpoints } from './second-factor/endpoints.ts';
import { signupEndpoints } from './signup/signup-endpoints.tsx';

/** Every page of sign-in, and what their forms are sent to. */
export function signInPages(pages: SignInPageDependencies): Endpoint[] {
  return [
    ...signInEndpoints(pages),
    ...sentEndpoints(pages),
    ...magicLinkEndpoints(pages),
    ...signupEndpoints(pages),
    ...forgottenEndpoints(pages),
    ...mailedLinkEndpoints(pages),
    passkeyEndpoint(pages),
    ...secondFactorEndpoints(pages),
    ...newPasswordEndpoints(pages),
    strengthEndpoint(pages.dependencies),
    ...profileEndpoints(pages),
  ];
}
