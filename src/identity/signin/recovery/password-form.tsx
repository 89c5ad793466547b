import type { Settings } from '../../../directory/settings/index.ts';
import type { Texts } from '../../../texts/index.ts';
import { Button, ErrorSummary, Form, type FormFault, renderPage } from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import { NewPasswordField } from '../new-password/new-password-field.tsx';
import { type StrengthCheck, strengthScript } from '../new-password/strength.ts';

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
  readonly strength: StrengthCheck;
  readonly leadsTo?: string | undefined;
  readonly faults: readonly FormFault[];
}

/** A page that asks for a new password. */
export function newPasswordPage(visit: VisitorVisit<unknown, unknown>, view: NewPasswordView) {
  const { t } = visit;
  const { title, reason, action, hidden, account, policy, strength, leadsTo, faults } = view;
  return renderPage(
    visit,
    { title, status: faults.length === 0 ? 200 : 422, leadsTo: [leadsTo], scripts: [strengthScript], asks: true },
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
        <NewPasswordField
          t={t}
          label={t('passwords.new')}
          policy={policy}
          strength={strength}
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
