import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { SignInDependencies } from '../dependencies.ts';
import type { PagePiece } from '../first-factor/sign-in-page.tsx';
import type { FlowEntry } from '../flow/flow-record.ts';
import { WebAuthnForm, webAuthnScripts } from '../second-factor/webauthn-form.tsx';

/** The button that signs in with a passkey, and passkeys among the user names that the browser fills in. */
export function passkeyPiece(
  { mfa }: SignInDependencies,
  { organization, visitor, base, t }: VisitorVisit<unknown, unknown>,
  flow: FlowEntry,
): PagePiece {
  const options = mfa.assertions.signInOptions({ organization, binding: flow.id });
  return {
    scripts: webAuthnScripts,
    markup: (
      <WebAuthnForm
        ceremony="get"
        options={options}
        action={`${base}/signin/passkey`}
        csrf={visitor.csrf}
        hidden={{ flow: flow.id }}
        label={t('secondFactor.passkeySignIn')}
        t={t}
        kind="other"
        isAutofilled
      />
    ),
  };
}
