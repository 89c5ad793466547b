import type { PlainKey, Texts } from '../../../texts/index.ts';
import type { Method, Pending, TotpOffer } from '../../mfa/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow-record.ts';
import { methodNames } from './choices.ts';
import { CodeField, SendButton } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';
import { WebAuthnForm, webAuthnScripts } from './webauthn-form.tsx';

/** What a page needs to register a factor of one method. */
export interface Enrolment {
  readonly method: Method;
  readonly totp?: TotpOffer | undefined;
  readonly options?: object | undefined;
  readonly pending?: Pending | undefined;
  /** Of the user, where email is the method. */
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

const methodHints = {
  totp: 'secondFactor.totpHint',
  webauthn: 'secondFactor.webauthnHint',
  sms: 'secondFactor.smsHint',
  email: 'secondFactor.emailHint',
} as const satisfies Readonly<Record<Method, PlainKey>>;

export function enrolPage(visit: VisitorVisit, view: EnrolView) {
  const { flow, chosen, faults, status, graceEnd, methods } = view;
  const { t } = visit;
  const page = {
    title: t('secondFactor.addTitle'),
    status,
    leadsTo: [flow.document.leadsTo],
    ...(chosen?.method === 'webauthn' ? { scripts: webAuthnScripts } : {}),
  };
  const address = `${visit.base}/signin/second-factor/enrol`;
  return renderPage(
    visit,
    page,
    <>
      <h1>{t('secondFactor.addTitle')}</h1>
      <ErrorSummary faults={faults} />
      {chosen === undefined ? (
        <MethodList address={address} view={view} t={t} />
      ) : (
        <EnrolForm
          enrolment={chosen}
          action={address}
          csrf={visit.visitor.csrf}
          hidden={{ flow: flow.id }}
          faults={faults}
          t={t}
        />
      )}
      {chosen === undefined || methods.length < 2 ? null : (
        <p class="foot">
          <a href={`${address}?flow=${flow.id}`}>{t('secondFactor.chooseAnother')}</a>
        </p>
      )}
      {graceEnd === undefined ? null : (
        <Form action={`${visit.base}/signin/second-factor/skip`} csrf={visit.visitor.csrf} hidden={{ flow: flow.id }}>
          <p class="hint">{t('secondFactor.graceUntil', { day: t.day(graceEnd) })}</p>
          <Button kind="other">{t('secondFactor.notNow')}</Button>
        </Form>
      )}
    </>,
  );
}

interface MethodListProps {
  readonly address: string;
  readonly view: EnrolView;
  readonly t: Texts;
}

function MethodList({ address, view: { flow, methods }, t }: MethodListProps) {
  if (methods.length === 0) {
    return <p>{t('secondFactor.noMethod')}</p>;
  }
  return (
    <>
      <p>{t('secondFactor.chooseMethod')}</p>
      <ul class="ways">
        {methods.map((method) => (
          <li key={method}>
            <a href={`${address}?flow=${flow.id}&method=${method}`}>{t(methodNames[method])}</a>
            <p class="hint">{t(methodHints[method])}</p>
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
  readonly t: Texts;
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

interface NameFieldProps extends Pick<EnrolFormProps, 'faults' | 't'> {
  readonly hint: string;
}

function NameField({ hint, faults, t }: NameFieldProps) {
  return (
    <Field
      name="name"
      label={t('secondFactor.nameLabel')}
      hint={hint}
      autocomplete="off"
      isRequired={false}
      maxLength={100}
      faults={faults}
    />
  );
}

function TotpForm({ enrolment: { totp }, action, csrf, hidden, faults, t }: EnrolFormProps) {
  if (totp === undefined) return null;
  return (
    <Form action={action} csrf={csrf} hidden={{ ...hidden, method: 'totp', token: totp.token }}>
      <p>{t('secondFactor.scan')}</p>
      <QrCode text={totp.uri} label={t('secondFactor.qrCode')} />
      <p>
        {t.rich('secondFactor.key', {
          key: <code class="secret">{totp.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>,
        })}
      </p>
      <p>
        <a href={totp.uri}>{t('secondFactor.openApp')}</a>
      </p>
      <CodeField label={t('secondFactor.code')} hint={t('secondFactor.codeFromApp')} faults={faults} />
      <NameField hint={t('secondFactor.nameHintApp')} faults={faults} t={t} />
      <Button>{t('secondFactor.add')}</Button>
    </Form>
  );
}

function KeyForm({ enrolment: { options }, action, csrf, hidden, faults, t }: EnrolFormProps) {
  return (
    <WebAuthnForm
      ceremony="create"
      options={options ?? {}}
      action={action}
      csrf={csrf}
      hidden={{ ...hidden, method: 'webauthn' }}
      label={t('secondFactor.addKey')}
      t={t}
      otherwise={t('secondFactor.needsScripts')}
    >
      <p>{t(methodHints.webauthn)}</p>
      <NameField hint={t('secondFactor.nameHintKey')} faults={faults} t={t} />
    </WebAuthnForm>
  );
}

function CodeForms({ enrolment, action, csrf, hidden, faults, t }: EnrolFormProps) {
  const { method, pending, email, number } = enrolment;
  const isPhone = method === 'sms';
  const sending = (
    <Form action={`${action}/send`} csrf={csrf} hidden={{ ...hidden, method }}>
      {isPhone ? (
        <Field
          name="number"
          label={t('secondFactor.phone')}
          hint={t('secondFactor.phoneHint')}
          type="tel"
          inputMode="tel"
          autocomplete="tel"
          value={number}
          maxLength={50}
          faults={faults}
        />
      ) : pending === undefined ? (
        <p>{t('secondFactor.codesGoTo', { email: email ?? '' })}</p>
      ) : null}
      <SendButton isAgain={pending !== undefined} t={t} />
    </Form>
  );
  if (pending === undefined) return sending;
  return (
    <>
      <Form action={action} csrf={csrf} hidden={{ ...hidden, method }}>
        <CodeField
          label={t('secondFactor.code')}
          hint={t('secondFactor.codeSentTo', { to: pending.to })}
          faults={faults}
          isFirst
        />
        <Button>{t('secondFactor.add')}</Button>
      </Form>
      {isPhone ? (
        <details class="more" open={faults.some(({ field }) => field === 'number')}>
          <summary>{t('secondFactor.noCode')}</summary>
          {sending}
        </details>
      ) : (
        sending
      )}
    </>
  );
}
