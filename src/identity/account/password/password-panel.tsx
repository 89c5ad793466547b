import type { Settings } from '../../../directory/settings/index.ts';
import { Button, type FormFault, OpeningRow, Panel, PasswordField, Row } from '../../pages/index.ts';
import { NewPasswordField, policyHint, type StrengthCheck } from '../../signin/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { Moment } from '../frame/moment.tsx';

export interface PasswordFacts {
  readonly hasPassword: boolean;
  readonly changedAt?: number | undefined;
  /** Whether passwords are used in the organization. */
  readonly isUsed: boolean;
  readonly policy: Settings['passwordPolicy'];
}

interface PasswordPanelProps {
  readonly visit: AccountVisit;
  readonly facts: PasswordFacts;
  readonly strength: StrengthCheck;
  readonly isOpen: boolean;
  readonly faults: readonly FormFault[];
}

/** A new password, by the one before where there is one. */
export function PasswordPanel({ visit, facts, strength, isOpen, faults }: PasswordPanelProps) {
  const { t, base, isFresh, user } = visit;
  const { hasPassword, changedAt, isUsed, policy } = facts;
  const title = t('account.password');
  if (!isUsed) {
    return (
      <Panel id="signing-in" title={t('account.signingIn')}>
        <Row title={title} icon="key" value={t('account.passwordUnused')} />
      </Panel>
    );
  }
  const show = t('frame.showPassword');
  return (
    <Panel id="signing-in" title={t('account.signingIn')}>
      <OpeningRow
        id="change-password"
        title={title}
        icon="key"
        value={hasPassword ? <Changed visit={visit} at={changedAt} /> : t('account.passwordNone')}
        action={t(hasPassword ? 'account.edit' : 'account.add')}
        close={t('account.close')}
        isOpen={isOpen}
        elsewhere={isFresh ? undefined : `${base}/account/password`}
      >
        <AccountForm visit={visit} path="/account/password" id="password-form">
          {/* for password managers, which do not look at fields of type hidden */}
          <input type="text" name="username" autocomplete="username" value={user.document.email} readonly hidden />
          {hasPassword ? (
            <PasswordField
              name="current"
              label={t('account.passwordCurrent')}
              autocomplete="current-password"
              show={show}
              faults={faults}
            />
          ) : null}
          <NewPasswordField
            t={t}
            label={t('account.passwordNew')}
            policy={policy}
            strength={strength}
            hint={t('account.passwordHint', { policy: policyHint(t, policy) })}
            faults={faults}
          />
          <Button>{t(hasPassword ? 'account.passwordChange' : 'account.passwordAdd')}</Button>
        </AccountForm>
      </OpeningRow>
    </Panel>
  );
}

function Changed({ visit, at }: { readonly visit: AccountVisit; readonly at: number | undefined }) {
  if (at === undefined) return <>••••••••</>;
  return <>{visit.t.rich('account.passwordSet', { time: <Moment visit={visit} at={at} /> })}</>;
}
