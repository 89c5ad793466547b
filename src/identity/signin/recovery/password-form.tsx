import type { Settings } from '../../../directory/settings/index.ts';
import type { Texts } from '../../../texts/index.ts';
import { Button, ErrorSummary, Form, type FormFault, PasswordField, renderPage } from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';

/** What a new password must have, in words. */
export function policyHint(t: Texts, policy: Settings['passwordPolicy']): string {
  const kinds = [
    ...(policy.requireUppercase ? [t('passwords.kindUpper')] : []),
    ...(policy.requireNumbers ? [t('passwords.kindDigit')] : []),
    ...(policy.requireSymbols ? [t('passwords.kindSymbol')] : []),
  ];
  const count = policy.minLength;
  return kinds.length === 0
    ? t('passwords.hintLength', { count })
    : t('passwords.hintKinds', { count, kinds: t.list(kinds) });
}

interface NewPasswordView {
  readonly title: string;
  /** Why it is asked for. */
  readonly reason: string;
  /** Below `{issuer}`. */
  readonly action: `/${string}`;
  readonly hidden: Readonly<Record<string, string>>;
  /** Whose password it is, for programs that keep passwords. */
  readonly account: string | undefined;
  readonly policy: Settings['passwordPolicy'];
  readonly leadsTo?: string | undefined;
  readonly faults: readonly FormFault[];
}

/** A page that asks for a new password. */
export function newPasswordPage(visit: VisitorVisit<unknown, unknown>, view: NewPasswordView) {
  const { t } = visit;
  const { title, reason, action, hidden, account, policy, leadsTo, faults } = view;
  return renderPage(
    visit,
    { title, status: faults.length === 0 ? 200 : 422, leadsTo: [leadsTo] },
    <>
      <h1>{title}</h1>
      <p>{reason}</p>
      <ErrorSummary faults={faults} />
      <Form action={`${visit.base}${action}`} csrf={visit.visitor.csrf} hidden={hidden}>
        {account === undefined ? null : (
          <div class="unseen" aria-hidden="true">
            <input type="text" value={account} autocomplete="username" readOnly tabIndex={-1} />
          </div>
        )}
        <PasswordField
          name="password"
          label={t('passwords.new')}
          autocomplete="new-password"
          show={t('frame.showPassword')}
          hint={policyHint(t, policy)}
          faults={faults}
          isFirst
        />
        <Button>{t('links.setButton')}</Button>
      </Form>
    </>,
  );
}

/** What the form sends, judged before anything is looked up. */
export function emptyPassword(t: Texts, password: string): FormFault[] {
  return password === '' ? [{ field: 'password', message: t('passwords.choose') }] : [];
}
