import { Badge, Button, Field, type FormFault, OpeningRow } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';

interface EmailRowProps {
  readonly visit: AccountVisit;
  readonly isOpen: boolean;
  readonly typed: string;
  readonly faults: readonly FormFault[];
}

/** The address that a user signs in with. Whoever finds a browser open must not change it. */
export function EmailRow({ visit, isOpen, typed, faults }: EmailRowProps) {
  const { t, base, isFresh } = visit;
  const { email, emailVerified } = visit.user.document;
  return (
    <OpeningRow
      id="change-email"
      title={t('account.email')}
      value={
        <>
          <span>{email}</span>{' '}
          <Badge kind={emailVerified ? 'good' : 'plain'}>
            {t(emailVerified ? 'account.confirmed' : 'account.notConfirmed')}
          </Badge>
        </>
      }
      action={t('account.edit')}
      close={t('account.close')}
      isOpen={isOpen}
      elsewhere={isFresh ? undefined : `${base}/account/email`}
    >
      {emailVerified ? null : (
        <AccountForm visit={visit} path="/account/email" hidden={{ email }} id="own-email">
          <Button kind="other">{t('account.confirmEmail')}</Button>
        </AccountForm>
      )}
      <AccountForm visit={visit} path="/account/email" id="new-email">
        <Field
          name="email"
          label={t('account.newEmail')}
          type="email"
          autocomplete="email"
          value={typed}
          faults={faults}
          hint={t('account.newEmailHint')}
        />
        <Button>{t('account.sendLink')}</Button>
      </AccountForm>
    </OpeningRow>
  );
}
