import type { Reply } from '../../../http/index.ts';
import { Button, ErrorSummary, Field, Form, type PageContext, renderPage } from '../../../identity/pages/index.ts';
import type { ClientEntry } from '../clients/index.ts';
import type { DescribedScope } from '../consent/described-scopes.ts';

interface Common {
  readonly action: string;
  readonly csrf: (action: string) => string;
}

export interface EnterView extends Common {
  /** What was typed, or came with the address. */
  readonly code: string;
  readonly fault?: string | undefined;
  readonly status?: number;
}

/** Asks for the code that a device shows. */
export function enterPage(context: PageContext, { action, csrf, code, fault, status }: EnterView): Reply<never> {
  const faults = fault === undefined ? [] : [{ field: 'user_code', message: fault }];
  return renderPage(
    context,
    { title: fault === undefined ? 'Connect a device' : 'Connect a device: not done', status },
    <>
      <h1>Connect a device</h1>
      <ErrorSummary faults={faults} />
      <p>Type the code that your device shows. Has somebody sent you a code? Do not type it.</p>
      <Form action={action} csrf={csrf}>
        <Field
          name="user_code"
          label="Code"
          value={code}
          autocomplete="one-time-code"
          hint="Eight letters, such as BCDF-GHJK"
          faults={faults}
          isFirst
          maxLength={32}
        />
        <Button>Continue</Button>
      </Form>
    </>,
  );
}

export interface CompareView extends Common {
  readonly client: ClientEntry;
  readonly scopes: readonly DescribedScope[];
  /** As the device shows it. */
  readonly code: string;
  readonly account: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** Shows what the device is and wants, with its code, so that nobody agrees to somebody else's device. */
export function comparePage(context: PageContext, view: CompareView): Reply<never> {
  const { name, kind } = view.client.document;
  return renderPage(
    context,
    { title: `Allow ${name}?` },
    <>
      <h1>{`Allow ${name} on your device?`}</h1>
      {kind === 'admin' ? null : (
        <p class="notice">
          This application has registered itself, and nobody in this organization has checked it. Agree only if you know
          it.
        </p>
      )}
      <p>
        {'Your device must show this code now: '}
        <strong class="user-code">{view.code}</strong>
      </p>
      <p>{`You are signed in as ${view.account}. If you agree, ${name} on that device can:`}</p>
      <ul class="scopes">
        {view.scopes.map((scope) => (
          <li key={scope.name}>{scope.text}</li>
        ))}
      </ul>
      <p class="hint">You can take this back on your account page.</p>
      <Form action={view.action} csrf={view.csrf} hidden={view.hidden}>
        <Button name="decision" value="allow">
          The codes are the same: allow
        </Button>
        <Button name="decision" value="refuse" kind="other">
          Refuse
        </Button>
      </Form>
    </>,
  );
}

/** The end, on this side. */
export function answeredPage(context: PageContext, isAllowed: boolean): Reply<never> {
  const title = isAllowed ? 'Your device is connected' : 'Your device was refused';
  const text = isAllowed ? 'Go on there: it notices within a few seconds.' : 'Nothing was given to it.';
  return renderPage(
    context,
    { title },
    <>
      <h1>{title}</h1>
      <p role="status">{text} You can close this page.</p>
    </>,
  );
}
