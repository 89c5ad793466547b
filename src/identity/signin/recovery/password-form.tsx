import type { Settings } from '../../../directory/settings/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';

/** What a new password must have, in words. */
export function policyHint(policy: Settings['passwordPolicy']): string {
  const kinds = [
    ...(policy.requireUppercase ? ['an upper-case letter'] : []),
    ...(policy.requireNumbers ? ['a digit'] : []),
    ...(policy.requireSymbols ? ['a symbol'] : []),
  ];
  const last = kinds.pop();
  const with_ = last === undefined ? '' : `, with ${kinds.length === 0 ? last : `${kinds.join(', ')} and ${last}`}`;
  const hard = policy.template === 'strong' ? ', and not easy to guess' : '';
  return `At least ${policy.minLength} characters${with_}${hard}.`;
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
        <Field
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          hint={policyHint(policy)}
          faults={faults}
          isFirst
        />
        <Button>Set the password</Button>
      </Form>
    </>,
  );
}

/** What the form sends, judged before anything is looked up. */
export function emptyPassword(password: string): FormFault[] {
  return password === '' ? [{ field: 'password', message: 'Choose a password.' }] : [];
}
