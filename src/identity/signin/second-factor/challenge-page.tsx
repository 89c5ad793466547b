import type { Pending } from '../../mfa/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow-record.ts';
import { type Choice, labelOf } from './choices.ts';
import { SendButton } from './code-field.tsx';
import { WebAuthnForm, webAuthnScripts } from './webauthn-form.tsx';

export interface ChallengeView {
  readonly flow: FlowEntry;
  readonly choice: Choice;
  readonly others: readonly Choice[];
  /** Of a code that was sent. */
  readonly pending: Pending | undefined;
  /** For keys. */
  readonly options: object | undefined;
  readonly faults: readonly FormFault[];
  readonly status?: number;
}

export function challengePage(visit: VisitorVisit, view: ChallengeView) {
  const { flow, choice, others, faults, status, options } = view;
  const { t } = visit;
  const page = {
    title: t('secondFactor.title'),
    status,
    leadsTo: [flow.document.leadsTo],
    ...(options === undefined ? {} : { scripts: webAuthnScripts }),
  };
  return renderPage(
    visit,
    page,
    <>
      <h1>{t('secondFactor.heading')}</h1>
      <ErrorSummary faults={faults} />
      <Question visit={visit} view={view} />
      {others.length === 0 ? null : (
        <>
          <h2>{t('secondFactor.otherWays')}</h2>
          <ul class="ways">
            {others.map((each) => (
              <li key={each.id}>
                <a href={`${visit.base}/signin/second-factor?flow=${flow.id}&with=${each.id}`}>{labelOf(t, each)}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      {choice.type === 'recovery' || others.some(({ type }) => type === 'recovery') ? null : (
        <p class="hint">{t('secondFactor.noneLeft')}</p>
      )}
    </>,
  );
}

interface QuestionProps {
  readonly visit: VisitorVisit;
  readonly view: ChallengeView;
}

function Question(props: QuestionProps) {
  const { visit, view } = props;
  const { choice, flow, options } = view;
  const { t } = visit;
  const action = `${visit.base}/signin/second-factor`;
  const hidden = { flow: flow.id, with: choice.id };
  switch (choice.type) {
    case 'webauthn':
      return (
        <WebAuthnForm
          ceremony="get"
          options={options ?? {}}
          action={action}
          csrf={visit.visitor.csrf}
          hidden={hidden}
          label={t('secondFactor.usePasskey')}
          t={t}
          otherwise={`${t('secondFactor.needsScripts')} ${t('secondFactor.chooseOther')}`}
        />
      );
    case 'sms':
    case 'email':
      return <SentCode {...props} action={action} hidden={hidden} />;
    default:
      return (
        <CodeForm
          {...props}
          action={action}
          hidden={hidden}
          label={t(choice.type === 'totp' ? 'secondFactor.code' : 'secondFactor.recovery')}
          hint={t(choice.type === 'totp' ? 'secondFactor.codeFromApp' : 'secondFactor.codeKept')}
        />
      );
  }
}

interface CodeProps extends QuestionProps {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
}

function CodeForm({
  visit,
  view,
  action,
  hidden,
  label,
  hint,
}: CodeProps & { readonly label: string; readonly hint: string }) {
  return (
    <Form action={action} csrf={visit.visitor.csrf} hidden={hidden}>
      <Field
        name="code"
        label={label}
        hint={hint}
        autocomplete={view.choice.type === 'recovery' ? 'off' : 'one-time-code'}
        inputMode={view.choice.type === 'recovery' ? 'text' : 'numeric'}
        maxLength={32}
        faults={view.faults}
        isFirst
      />
      <Button>{visit.t('secondFactor.continue')}</Button>
    </Form>
  );
}

function SentCode(props: CodeProps) {
  const { visit, view, hidden } = props;
  const { pending, choice } = view;
  const { t } = visit;
  const send = `${visit.base}/signin/second-factor/send`;
  return (
    <>
      {pending === undefined ? (
        <p>{t('secondFactor.codeCanBeSent', { to: choice.to ?? '' })}</p>
      ) : (
        <CodeForm {...props} label={t('secondFactor.code')} hint={t('secondFactor.codeSentTo', { to: pending.to })} />
      )}
      <Form action={send} csrf={visit.visitor.csrf} hidden={hidden}>
        <SendButton isAgain={pending !== undefined} t={t} />
      </Form>
    </>
  );
}
