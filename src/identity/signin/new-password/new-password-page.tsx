import { readSettings } from '../../../directory/settings/index.ts';
import type { PersonalTexts } from '../../../directory/users/index.ts';
import type { Reply } from '../../../http/index.ts';
import type { PlainKey } from '../../../texts/index.ts';
import { Button, ErrorSummary, Form, type FormFault, renderPage } from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { faultsOf } from '../pages-dependencies.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { strengthCheck, strengthScript } from './strength.ts';

interface NewPasswordView {
  readonly title: PlainKey;
  /** Why it is asked for. */
  readonly reason: PlainKey;
  /** Below `{issuer}`. */
  readonly action: `/${string}`;
  readonly hidden: Readonly<Record<string, string>>;
  /** Whose password it is to be. */
  readonly user: PersonalTexts;
  /** Whether the page says so, to programs that keep passwords. */
  readonly isNamed: boolean;
  readonly leadsTo?: string | undefined;
  readonly faults: readonly FormFault[];
}

/** A page that asks for a new password. */
export function newPasswordPage(
  { engine, sealer }: SignInDependencies,
  visit: VisitorVisit,
  { title, reason, action, hidden, user, isNamed, leadsTo, faults }: NewPasswordView,
) {
  const { t } = visit;
  const options = { title: t(title), status: faults.length === 0 ? 200 : 422, leadsTo: [leadsTo] };
  return renderPage(
    visit,
    { ...options, scripts: [strengthScript], asks: true },
    <>
      <h1>{t(title)}</h1>
      <p>{t(reason)}</p>
      <ErrorSummary faults={faults} />
      <Form action={`${visit.base}${action}`} csrf={visit.visitor.csrf} hidden={hidden}>
        {isNamed ? (
          <div class="unseen" aria-hidden="true">
            <input type="text" value={user.email} autocomplete="username" readOnly tabIndex={-1} />
          </div>
        ) : null}
        <NewPasswordField
          t={t}
          label={t('passwords.new')}
          policy={engine.read(() => readSettings(visit.organization.store).passwordPolicy)}
          strength={strengthCheck(sealer, visit, user)}
          faults={faults}
          isFirst
        />
        <Button>{t('links.setButton')}</Button>
      </Form>
    </>,
  );
}

interface Setting {
  /** The page again, with what is wrong. */
  readonly again: (faults: readonly FormFault[]) => Reply<never>;
  readonly set: () => Promise<unknown>;
  readonly done: () => Reply<never> | Promise<Reply<never>>;
}

/** What the form of such a page sends: it is set, or said what is wrong with it. */
export async function setPassword(
  { t }: VisitorVisit,
  password: string,
  { again, set, done }: Setting,
): Promise<Reply<never>> {
  if (password === '') return again([{ field: 'password', message: t('passwords.choose') }]);
  try {
    await set();
  } catch (error) {
    return again(faultsOf(t, error, ['password']));
  }
  return done();
}
