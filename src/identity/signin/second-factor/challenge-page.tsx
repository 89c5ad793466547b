import type { Pending } from '../../mfa/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow/flow-record.ts';
import type { Choice } from './choices.ts';
import { WebAuthnForm, webAuthnScripts } from './webauthn-form.tsx';

type Visit = VisitorVisit<unknown, unknown>;

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

export function challengePage(visit: Visit, view: ChallengeView) {
  const { flow, choice, others, faults, status, options } = view;
  const page = {
    title: 'Second factor',
    status,
    leadsTo: [flow.document.leadsTo],
    ...(options === undefined ? {} : { scripts: webAuthnScripts }),
  };
  return renderPage(
    visit,
    page,
    <>
      <h1>Is it you?</h1>
      <ErrorSummary faults={faults} />
      <Question visit={visit} view={view} />
      {others.length === 0 ? null : (
        <>
          <h2>Another way</h2>
          <ul class="links">
            {others.map(({ id, label }) => (
              <li key={id}>
                <a href={`${visit.base}/signin/second-factor?flow=${flow.id}&with=${id}`}>{label}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      {choice.type === 'recovery' || others.some(({ type }) => type === 'recovery') ? null : (
        <p class="hint">No way left? An administrator can reset your second factor.</p>
      )}
    </>,
  );
}

interface QuestionProps {
  readonly visit: Visit;
  readonly view: ChallengeView;
}

function Question(props: QuestionProps) {
  const { visit, view } = props;
  const { choice, flow, options } = view;
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
          label="Use a passkey or security key"
          otherwise="Passkeys and security keys need a browser that knows them, with scripts switched on. Choose another way below."
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
          label={choice.type === 'totp' ? 'Code' : 'Recovery code'}
          hint={
            choice.type === 'totp'
              ? 'The six digits that your authenticator app shows now.'
              : 'One of those you have kept.'
          }
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
      <Button>Continue</Button>
    </Form>
  );
}

function SentCode(props: CodeProps) {
  const { visit, view, hidden } = props;
  const { pending, choice } = view;
  const send = `${visit.base}/signin/second-factor/send`;
  return (
    <>
      {pending === undefined ? (
        <p>A code can be sent to {choice.to}. It works for five minutes.</p>
      ) : (
        <CodeForm {...props} label="Code" hint={`The six digits that were sent to ${pending.to}.`} />
      )}
      <Form action={send} csrf={visit.visitor.csrf} hidden={hidden}>
        <Button kind={pending === undefined ? 'main' : 'other'}>
          {pending === undefined ? 'Send the code' : 'Send another code'}
        </Button>
      </Form>
    </>
  );
}
