import type { FactorView, Method } from '../../mfa/index.ts';
import { Button, ButtonLink } from '../../pages/index.ts';
import { methodLabels } from '../../signin/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { Moment } from '../frame/moment.tsx';

interface FactorListProps {
  readonly visit: AccountVisit;
  readonly factors: readonly FactorView[];
  readonly methods: readonly Method[];
  readonly codesLeft: number;
}

export function FactorList({ visit, factors, methods, codesLeft }: FactorListProps) {
  const { base } = visit;
  return (
    <>
      {factors.length === 0 ? (
        <p>You have none yet. One of them protects your account even from who knows your password.</p>
      ) : null}
      <ul class="items">
        {factors.map((factor) => (
          <FactorItem key={factor.id} visit={visit} factor={factor} />
        ))}
      </ul>
      {methods.length === 0 ? null : <h2>Add one</h2>}
      {methods.map((method) => (
        <ButtonLink key={method} href={`${base}/account/factors/add?method=${method}`}>
          {methodLabels[method]}
        </ButtonLink>
      ))}
      {factors.length === 0 ? null : (
        <>
          <h2>Recovery codes</h2>
          <p>{codesLeft === 1 ? 'One code is left.' : `${codesLeft} codes are left.`} New ones make these void.</p>
          <AccountForm visit={visit} path="/account/factors/recovery-codes" id="recovery-codes">
            <Button kind="other">Make new recovery codes</Button>
          </AccountForm>
        </>
      )}
    </>
  );
}

interface FactorItemProps {
  readonly visit: AccountVisit;
  readonly factor: FactorView;
}

function FactorItem({ visit, factor }: FactorItemProps) {
  const { id, type, name, to, createdAt, lastUsedAt } = factor;
  const { locale, zoneinfo: zone } = visit.user.document;
  const field = `name-${id}`;
  return (
    <li>
      <h2>{name}</h2>
      <p class="hint">
        {methodLabels[type]}
        {to === undefined ? null : ` to ${to}`}
        {', added '}
        <Moment at={createdAt} locale={locale} zone={zone} />
        {lastUsedAt === undefined ? null : (
          <>
            {', last used '}
            <Moment at={lastUsedAt} locale={locale} zone={zone} />
          </>
        )}
        .
      </p>
      <AccountForm visit={visit} path="/account/factors/rename" hidden={{ factor: id }}>
        <label for={field}>
          Name<span class="unseen">{` of ${name}`}</span>
        </label>
        <input id={field} name="name" type="text" value={name} maxlength={100} autocomplete="off" required />
        <Button kind="other">Save the name</Button>
      </AccountForm>
      <AccountForm visit={visit} path="/account/factors/remove" hidden={{ factor: id }}>
        <Button kind="danger">
          Remove<span class="unseen">{` ${name}`}</span>
        </Button>
      </AccountForm>
    </li>
  );
}
