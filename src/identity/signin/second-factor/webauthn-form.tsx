import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ComponentChildren } from 'preact';
import type { Texts } from '../../../texts/index.ts';
import { type Asset, asset, assetFrom, Button, Form } from '../../pages/index.ts';

/** The package names only its modules; what it brings for browsers lies beside them. */
function browserLibrary(): string {
  const entry = createRequire(import.meta.url).resolve('@simplewebauthn/browser');
  return join(dirname(dirname(entry)), 'dist', 'bundle', 'index.umd.min.js');
}

/** What a page loads that has a `WebAuthnForm`, in this order. */
export const webAuthnScripts: readonly Asset[] = [
  assetFrom('simplewebauthn.js', browserLibrary()),
  asset('webauthn.js'),
];

interface WebAuthnFormProps {
  /** `create` registers a key, `get` asks for one. */
  readonly ceremony: 'create' | 'get';
  /** For the browser's own interface. */
  readonly options: object;
  readonly action: string;
  readonly csrf: (action: string) => string;
  readonly hidden: Readonly<Record<string, string | undefined>>;
  readonly label: string;
  readonly t: Texts;
  readonly kind?: 'main' | 'other';
  /** Also offered where the browser fills in user names. */
  readonly isAutofilled?: boolean;
  /** Said where it cannot work; nothing where there are other ways on the page. */
  readonly otherwise?: string;
  readonly children?: ComponentChildren;
}

/**
 * A form whose `answer` is what an authenticator says. It is shown by the script where the browser knows WebAuthn, and
 * sent like any other form.
 */
export function WebAuthnForm(props: WebAuthnFormProps) {
  const { ceremony, options, action, csrf, hidden, label, t, kind = 'main', isAutofilled, otherwise, children } = props;
  return (
    <>
      {otherwise === undefined ? null : <p data-webauthn-otherwise>{otherwise}</p>}
      <div
        data-webauthn={ceremony}
        data-options={JSON.stringify(options)}
        {...(isAutofilled ? { 'data-autofill': '' } : {})}
        hidden
      >
        <Form action={action} csrf={csrf} hidden={{ ...hidden, answer: '' }}>
          {children}
          <p class="fault" role="alert" data-webauthn-fault hidden>
            {t('secondFactor.nothingChosen')}
          </p>
          <Button kind={kind}>{label}</Button>
        </Form>
      </div>
    </>
  );
}
