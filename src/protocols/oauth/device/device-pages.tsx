import type { Reply } from '../../../http/index.ts';
import {
  Button,
  ErrorSummary,
  Field,
  Form,
  type PageContext,
  renderPage,
  SignedInAs,
} from '../../../identity/pages/index.ts';
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
  const { t } = context;
  const faults = fault === undefined ? [] : [{ field: 'user_code', message: fault }];
  return renderPage(
    context,
    { title: t(fault === undefined ? 'consent.deviceTitle' : 'consent.deviceFailed'), status },
    <>
      <h1>{t('consent.deviceTitle')}</h1>
      <ErrorSummary faults={faults} />
      <Form action={action} csrf={csrf}>
        <Field
          name="user_code"
          label={t('consent.deviceEnter')}
          value={code}
          autocomplete="one-time-code"
          hint={t('consent.deviceHint')}
          faults={faults}
          isFirst
          maxLength={32}
        />
        <Button>{t('consent.deviceContinue')}</Button>
      </Form>
    </>,
  );
}

export interface CompareView extends Common {
  readonly client: ClientEntry;
  /** As the device shows it. */
  readonly code: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** Shows the code, so that nobody goes on with somebody else's device. */
export function comparePage(context: PageContext, { client, code, action, csrf, hidden }: CompareView): Reply<never> {
  const { t } = context;
  const title = t('consent.deviceCompare');
  return renderPage(
    context,
    { title },
    <>
      <h1>{title}</h1>
      <p class="user-code">
        <strong>{code}</strong>
      </p>
      <p>{t.rich('consent.deviceAsks', { application: <strong>{client.document.name}</strong> })}</p>
      <Form action={action} csrf={csrf} hidden={hidden}>
        <Button name="decision" value="same">
          {t('consent.deviceSame')}
        </Button>
        <Button name="decision" value="refuse" kind="other">
          {t('consent.deviceOther')}
        </Button>
      </Form>
    </>,
  );
}

export interface AllowView extends Common {
  readonly client: ClientEntry;
  readonly scopes: readonly DescribedScope[];
  readonly account: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** Asks whether the device may have what it wants. */
export function allowPage(context: PageContext, view: AllowView): Reply<never> {
  const { name, kind } = view.client.document;
  const { t } = context;
  const title = t('consent.deviceAllowTitle', { application: name });
  return renderPage(
    context,
    { title },
    <>
      <h1>{title}</h1>
      {kind === 'admin' ? null : <p class="caution">{t('consent.selfRegisteredDevice')}</p>}
      <SignedInAs label={t('account.signedInAs')} account={view.account} />
      <p>{t('consent.thenCan', { application: name })}</p>
      <ul class="scopes granted">
        {view.scopes.map((scope) => (
          <li key={scope.name}>{scope.text}</li>
        ))}
      </ul>
      <Form action={view.action} csrf={view.csrf} hidden={view.hidden}>
        <Button name="decision" value="allow">
          {t('consent.allow')}
        </Button>
        <Button name="decision" value="refuse" kind="other">
          {t('consent.deny')}
        </Button>
      </Form>
      <p class="hint">{t('consent.undo')}</p>
    </>,
  );
}

/** The end, on this side. */
export function answeredPage(context: PageContext, isAllowed: boolean): Reply<never> {
  const { t } = context;
  const title = t(isAllowed ? 'consent.deviceDone' : 'consent.deviceDenied');
  return renderPage(
    context,
    { title },
    <>
      <h1>{title}</h1>
      <p role="status">{t(isAllowed ? 'consent.deviceDoneText' : 'consent.deviceDeniedText')}</p>
    </>,
  );
}
