import type { OwnIdentities, OwnIdentity } from '../../federation/index.ts';
import { Avatar, Button, Confirm, Empty, Panel } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { Moment } from '../frame/moment.tsx';

interface IdentityListsProps {
  readonly visit: AccountVisit;
  readonly own: OwnIdentities;
}

/** Accounts at providers: those that are connected, and those that could be. */
export function IdentityLists({ visit, own: { identities, linkable } }: IdentityListsProps) {
  const { t } = visit;
  return (
    <>
      <Panel id="connected" title={t('account.identitiesConnected')}>
        {identities.length === 0 ? <Empty>{t('account.identitiesNone')}</Empty> : null}
        {identities.map((identity) => (
          <Identity key={identity.id} visit={visit} identity={identity} />
        ))}
      </Panel>
      {linkable.length === 0 ? null : (
        <Panel id="more" title={t('account.identitiesMore')}>
          {linkable.map(({ provider, name }) => (
            <div key={provider} class="row">
              <Avatar name={name} />
              <div class="row-text">
                <h3>{name}</h3>
              </div>
              <div class="row-end">
                <AccountForm
                  visit={visit}
                  path="/account/identities/link"
                  hidden={{ provider }}
                  id={`link-${provider}`}
                >
                  <Button kind="other" isSmall>
                    {t('account.identityLink')}
                    <span class="unseen">{` ${name}`}</span>
                  </Button>
                </AccountForm>
              </div>
            </div>
          ))}
        </Panel>
      )}
    </>
  );
}

function Identity({ visit, identity }: { readonly visit: AccountVisit; readonly identity: OwnIdentity }) {
  const { t } = visit;
  const { id, name, email, linkedAt } = identity;
  return (
    <div class="row">
      <Avatar name={name} />
      <div class="row-text">
        <h3>{name}</h3>
        <ul class="facts">
          {email === undefined ? null : <li>{email}</li>}
          <li>{t.rich('account.identityLinked', { time: <Moment visit={visit} at={linkedAt} /> })}</li>
        </ul>
      </div>
      <Confirm
        action={
          <>
            {t('account.identityUnlink')}
            <span class="unseen">{` ${name}`}</span>
          </>
        }
        question={t('account.identityQuestion', { name })}
      >
        <AccountForm visit={visit} path="/account/identities/unlink" hidden={{ identity: id }}>
          <Button kind="danger" isSmall>
            {t('account.identityUnlinkNow', { name })}
          </Button>
        </AccountForm>
      </Confirm>
    </div>
  );
}
