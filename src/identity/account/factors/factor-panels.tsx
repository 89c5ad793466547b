import { type FactorView, type Method, shownName } from '../../mfa/index.ts';
import { Button, Empty, type IconName, OpeningRow, Panel, Row } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { Moment } from '../frame/moment.tsx';

interface FactorPanelsProps {
  readonly visit: AccountVisit;
  readonly factors: readonly FactorView[];
  /** What may be added. */
  readonly methods: readonly Method[];
  readonly codesLeft: number;
  /** The id of the factor that is open. */
  readonly open: string | undefined;
}

export const methodNames = {
  totp: 'account.totp',
  webauthn: 'account.webauthn',
  sms: 'account.sms',
  email: 'account.emailCodes',
} as const satisfies Readonly<Record<Method, string>>;

const icons = { totp: 'phone', webauthn: 'key', sms: 'phone', email: 'mail' } as const satisfies Readonly<
  Record<Method, IconName>
>;

/** Passkeys, second factors and recovery codes, each where there is something to see or to add. */
export function FactorPanels(props: FactorPanelsProps) {
  const { visit, factors, methods, codesLeft, open } = props;
  const { t } = visit;
  const isKey = (type: Method) => type === 'webauthn';
  const keys = factors.filter(({ type }) => isKey(type));
  const others = factors.filter(({ type }) => !isKey(type));
  const otherMethods = methods.filter((method) => !isKey(method));
  return (
    <>
      {keys.length === 0 && !methods.some(isKey) ? null : (
        <Panel id="passkeys" title={t('account.passkeys')} hint={t('account.passkeysHint')}>
          {keys.length === 0 ? <Empty>{t('account.passkeysNone')}</Empty> : null}
          {keys.map((factor) => (
            <FactorRow key={factor.id} visit={visit} factor={factor} isOpen={factor.id === open} />
          ))}
          {methods.some(isKey) ? <AddLink visit={visit} method="webauthn" label={t('account.passkeyAdd')} /> : null}
        </Panel>
      )}
      {others.length === 0 && otherMethods.length === 0 ? null : (
        <Panel id="factors" title={t('account.factors')} hint={t('account.factorsHint')}>
          {factors.length === 0 ? <Empty>{t('account.factorsNone')}</Empty> : null}
          {others.map((factor) => (
            <FactorRow key={factor.id} visit={visit} factor={factor} isOpen={factor.id === open} />
          ))}
          {otherMethods.map((method) => (
            <Row key={method} title={t(methodNames[method])} icon={icons[method]}>
              <AddLink visit={visit} method={method} label={t(addLabel(others, method))} isRow />
            </Row>
          ))}
        </Panel>
      )}
      {factors.length === 0 ? null : <RecoveryPanel visit={visit} codesLeft={codesLeft} open={open} />}
    </>
  );
}

function addLabel(factors: readonly FactorView[], method: Method) {
  return factors.some(({ type }) => type === method) ? 'account.factorAddAnother' : 'account.factorAddMethod';
}

interface AddLinkProps {
  readonly visit: AccountVisit;
  readonly method: Method;
  readonly label: string;
  /** Whether it stands beside the name of the method. */
  readonly isRow?: boolean;
}

function AddLink({ visit: { base, t }, method, label, isRow = false }: AddLinkProps) {
  const link = (
    <a class="button other small" href={`${base}/account/factors/add?method=${method}`}>
      {label}
      {isRow ? <span class="unseen">{` ${t(methodNames[method])}`}</span> : null}
    </a>
  );
  return isRow ? link : <p class="rows-end">{link}</p>;
}

interface FactorRowProps {
  readonly visit: AccountVisit;
  readonly factor: FactorView;
  readonly isOpen: boolean;
}

function FactorRow({ visit, factor, isOpen }: FactorRowProps) {
  const { t, base, isFresh } = visit;
  const { id, type } = factor;
  const name = shownName(t, factor);
  const field = `name-${id}`;
  return (
    <OpeningRow
      id={`factor-${id}`}
      title={name}
      icon={icons[type]}
      value={<FactorFacts visit={visit} factor={factor} />}
      action={
        <>
          {t('account.factorManage')}
          <span class="unseen">{` ${name}`}</span>
        </>
      }
      close={t('account.close')}
      isOpen={isOpen}
      elsewhere={isFresh ? undefined : `${base}/account/factors?open=${encodeURIComponent(id)}`}
    >
      <AccountForm visit={visit} path="/account/factors/rename" hidden={{ factor: id }}>
        <div class="field">
          <label for={field}>
            {t('account.factorName')}
            <span class="unseen">{` ${name}`}</span>
          </label>
          <input id={field} name="name" type="text" value={name} maxlength={100} autocomplete="off" required />
        </div>
        <Button kind="other">{t('account.factorRename')}</Button>
      </AccountForm>
      <AccountForm visit={visit} path="/account/factors/remove" hidden={{ factor: id }}>
        <p class="hint">{t('account.factorRemoveQuestion')}</p>
        <Button kind="danger">{t('account.factorRemove', { name })}</Button>
      </AccountForm>
    </OpeningRow>
  );
}

/** What tells a factor from others: its method, where codes go, when it was added and used. */
function FactorFacts({ visit, factor }: Pick<FactorRowProps, 'visit' | 'factor'>) {
  const { t } = visit;
  const { type, to, createdAt, lastUsedAt } = factor;
  const method = t(methodNames[type]);
  return (
    <ul class="facts">
      {method === shownName(t, factor) ? null : <li>{method}</li>}
      {to === undefined ? null : <li>{t('account.factorTo', { address: to })}</li>}
      <li>{t.rich('account.factorAdded', { time: <Moment visit={visit} at={createdAt} /> })}</li>
      {lastUsedAt === undefined ? null : (
        <li>{t.rich('account.factorUsed', { time: <Moment visit={visit} at={lastUsedAt} /> })}</li>
      )}
    </ul>
  );
}

/** What lets somebody in who has lost a second factor. */
function RecoveryPanel({ visit, codesLeft, open }: Pick<FactorPanelsProps, 'visit' | 'codesLeft' | 'open'>) {
  const { t, base, isFresh } = visit;
  return (
    <Panel id="recovery" title={t('account.recovery')} hint={t('account.recoveryHint')}>
      <OpeningRow
        id="new-codes"
        title={t('account.recoveryLeft', { count: codesLeft })}
        icon="security"
        action={t('account.recoveryNew')}
        close={t('account.close')}
        isOpen={open === 'recovery-codes'}
        elsewhere={isFresh ? undefined : `${base}/account/factors?open=recovery-codes`}
      >
        <AccountForm visit={visit} path="/account/factors/recovery-codes" id="recovery-codes">
          <p class="hint">{t('account.recoveryQuestion')}</p>
          <Button>{t('account.recoveryMake')}</Button>
        </AccountForm>
      </OpeningRow>
    </Panel>
  );
}
