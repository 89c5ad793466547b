import type { Method, Pending, TotpOffer } from '../../mfa/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow/flow-record.ts';
import { QrCode } from './qr-code.tsx';
import { WebAuthnForm, webAuthnScripts } from './webauthn-form.tsx';

type Visit = VisitorVisit<unknown, unknown>;

/** What a page needs to register a factor of one method. */
export interface Enrolment {
  readonly method: Method;
  readonly totp?: TotpOffer | undefined;
  readonly options?: object | undefined;
  readonly pending?: Pending | undefined;
  /** Of the user, where e-mail is the method. */
  readonly email?: string | undefined;
  /** What the field of a phone number says at first. */
  readonly number?: string | undefined;
}

export interface EnrolView {
  readonly flow: FlowEntry;
  readonly methods: readonly Method[];
  /** Before one is chosen there is none. */
  readonly chosen: Enrolment | undefined;
  /** Until when it may be put off; `undefined` where it may not. */
  readonly graceEnd: number | undefined;
  readonly faults: readonly FormFault[];
  readonly status?: number;
}

export const methodLabels: Readonly<Record<Method, string>> = {
  totp: 'Authenticator app',
  webauthn: 'Passkey or security key',
  sms: 'Codes by SMS',
  email: 'Codes by e-mail',
};

const methodHints: Readonly<Record<Method, string>> = {
  totp: 'An app on your phone or computer shows a new code every half minute.',
  webauthn: 'Your device, or a key that you plug in, proves that it is you.',
  sms: 'A code is sent to your phone each time.',
  email: 'A code is sent to your e-mail address each time.',
};

export function enrolPage(visit: Visit, view: EnrolView) {
  const { flow, chosen, faults, status, graceEnd, methods } = view;
  const page = {
    title: 'Add a second factor',
    status,
    leadsTo: [flow.document.leadsTo],
    ...(chosen?.method === 'webauthn' ? { scripts: webAuthnScripts } : {}),
  };
  const address = `${visit.base}/signin/second-factor/enrol`;
  return renderPage(
    visit,
    page,
    <>
      <h1>Add a second factor</h1>
      <ErrorSummary faults={faults} />
      {chosen === undefined ? (
        <MethodList address={address} view={view} />
      ) : (
        <EnrolForm
          enrolment={chosen}
          action={address}
          csrf={visit.visitor.csrf}
          hidden={{ flow: flow.id }}
          faults={faults}
        />
      )}
      {chosen === undefined || methods.length < 2 ? null : (
        <p>
          <a href={`${address}?flow=${flow.id}`}>Choose another method</a>
        </p>
      )}
      {graceEnd === undefined ? null : (
        <Form action={`${visit.base}/signin/second-factor/skip`} csrf={visit.visitor.csrf} hidden={{ flow: flow.id }}>
          <p class="hint">You can put this off until {new Date(graceEnd).toISOString().slice(0, 10)}.</p>
          <Button kind="other">Not now</Button>
        </Form>
      )}
    </>,
  );
}

function MethodList({ address, view: { flow, methods } }: { readonly address: string; readonly view: EnrolView }) {
  if (methods.length === 0) {
    return <p>A second factor is required, but none can be added now. Ask an administrator of your organization.</p>;
  }
  return (
    <>
      <p>Something that only you have protects your account, even from who knows your password.</p>
      <ul class="links">
        {methods.map((method) => (
          <li key={method}>
            <a href={`${address}?flow=${flow.id}&method=${method}`}>{methodLabels[method]}</a>
            <p class="hint">{methodHints[method]}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

export interface EnrolFormProps {
  readonly enrolment: Enrolment;
  /** The form is sent there, and what asks for a code to `{action}/send`. */
  readonly action: string;
  readonly csrf: (action: string) => string;
  readonly hidden: Readonly<Record<string, string | undefined>>;
  readonly faults: readonly FormFault[];
}

/** What registers a factor of one method: for sign-in and for the account page. */
export function EnrolForm(props: EnrolFormProps) {
  switch (props.enrolment.method) {
    case 'totp':
      return <TotpForm {...props} />;
    case 'webauthn':
      return <KeyForm {...props} />;
    default:
      return <CodeForms {...props} />;
  }
}

function NameField({ hint, faults }: { readonly hint: string; readonly faults: readonly FormFault[] }) {
  return (
    <Field
      name="name"
      label="Name (optional)"
      hint={hint}
      autocomplete="off"
      isRequired={false}
      maxLength={100}
      faults={faults}
    />
  );
}

function TotpForm({ enrolment: { totp }, action, csrf, hidden, faults }: EnrolFormProps) {
  if (totp === undefined) return null;
  return (
    <Form action={action} csrf={csrf} hidden={{ ...hidden, method: 'totp', token: totp.token }}>
      <p>Scan this picture with an authenticator app, or type the key into it.</p>
      <QrCode text={totp.uri} label="QR code for an authenticator app; the key below says the same" />
      <p>
        Key: <code class="secret">{totp.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <p>
        <a href={totp.uri}>Open in an app on this device</a>
      </p>
      <Field
        name="code"
        label="Code"
        hint="The six digits that the app shows now."
        autocomplete="one-time-code"
        inputMode="numeric"
        maxLength={32}
        faults={faults}
      />
      <NameField hint="Such as the phone that the app is on." faults={faults} />
      <Button>Add</Button>
    </Form>
  );
}

function KeyForm({ enrolment: { options }, action, csrf, hidden, faults }: EnrolFormProps) {
  return (
    <WebAuthnForm
      ceremony="create"
      options={options ?? {}}
      action={action}
      csrf={csrf}
      hidden={{ ...hidden, method: 'webauthn' }}
      label="Add a passkey or security key"
      otherwise="Passkeys and security keys need a browser that knows them, with scripts switched on."
    >
      <p>{methodHints.webauthn}</p>
      <NameField hint="Such as the device that it is on." faults={faults} />
    </WebAuthnForm>
  );
}

function CodeForms({ enrolment, action, csrf, hidden, faults }: EnrolFormProps) {
  const { method, pending, email, number } = enrolment;
  const isPhone = method === 'sms';
  return (
    <>
      {pending === undefined ? null : (
        <Form action={action} csrf={csrf} hidden={{ ...hidden, method }}>
          <Field
            name="code"
            label="Code"
            hint={`The six digits that were sent to ${pending.to}.`}
            autocomplete="one-time-code"
            inputMode="numeric"
            maxLength={32}
            faults={faults}
            isFirst
          />
          <Button>Add</Button>
        </Form>
      )}
      <Form action={`${action}/send`} csrf={csrf} hidden={{ ...hidden, method }}>
        {isPhone ? (
          <Field
            name="number"
            label="Phone number"
            hint="With the prefix of your country, such as +49 151 12345678."
            type="tel"
            inputMode="tel"
            autocomplete="tel"
            value={number}
            maxLength={50}
            faults={faults}
          />
        ) : (
          <p>Codes are sent to {email}.</p>
        )}
        <Button kind={pending === undefined ? 'main' : 'other'}>
          {pending === undefined ? 'Send a code' : 'Send another code'}
        </Button>
      </Form>
    </>
  );
}
