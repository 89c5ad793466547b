import { Badge, Button, Confirm, Icon, type IconName, Panel } from '../../pages/index.ts';
import { type SessionEntry, shortBrowser } from '../../sessions/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { Moment } from '../frame/moment.tsx';

interface DeviceListProps {
  readonly visit: AccountVisit;
  /** The last used first. */
  readonly sessions: readonly SessionEntry[];
}

/** Where somebody is signed in: here first. */
export function DeviceList({ visit, sessions }: DeviceListProps) {
  const { t, session } = visit;
  const here = sessions.filter(({ id }) => id === session.id);
  const others = sessions.filter(({ id }) => id !== session.id);
  return (
    <Panel id="devices" title={t('account.devicesSignedIn')}>
      {here.map((entry) => (
        <Device key={entry.id} visit={visit} entry={entry} isThis />
      ))}
      {others.map((entry) => (
        <Device key={entry.id} visit={visit} entry={entry} />
      ))}
      {others.length === 0 ? null : (
        <div class="rows-end">
          <Confirm action={t('account.devicesEnd')} question={t('account.devicesEndHint', { count: others.length })}>
            <AccountForm visit={visit} path="/account/sessions/end-others" id="end-others">
              <Button kind="danger">{t('account.devicesEnd')}</Button>
            </AccountForm>
          </Confirm>
        </div>
      )}
    </Panel>
  );
}

interface DeviceProps {
  readonly visit: AccountVisit;
  readonly entry: SessionEntry;
  readonly isThis?: boolean;
}

const icons: Readonly<Record<string, IconName>> = { mobile: 'phone', tablet: 'tablet' };

function Device({ visit, entry, isThis = false }: DeviceProps) {
  const { t } = visit;
  const { device, location, ipAddress, createdAt, lastActiveAt } = entry.document;
  const name = deviceName(t, device);
  const place = [location?.city, countryName(location?.country, t.tag)].filter((part) => (part ?? '') !== '');
  return (
    <div class="row">
      <span class="row-icon">
        <Icon name={icons[device.type ?? ''] ?? 'laptop'} />
      </span>
      <div class="row-text">
        <h3>
          {name}
          {isThis ? <Badge kind="good">{t('account.deviceThis')}</Badge> : null}
        </h3>
        <ul class="facts">
          {place.length === 0 ? null : <li>{place.join(', ')}</li>}
          {ipAddress === '' ? null : <li>{ipAddress}</li>}
        </ul>
        <ul class="facts">
          <li>{t.rich('account.deviceFirst', { time: <Moment visit={visit} at={createdAt} /> })}</li>
          <li>{t.rich('account.deviceLast', { time: <Moment visit={visit} at={lastActiveAt} /> })}</li>
        </ul>
      </div>
      {isThis ? null : (
        <div class="row-end">
          <AccountForm visit={visit} path="/account/sessions/end" hidden={{ session: entry.id }}>
            <Button kind="other" isSmall>
              {t('account.deviceSignOut')}
              <span class="unseen">{` ${name}`}</span>
            </Button>
          </AccountForm>
        </div>
      )}
    </div>
  );
}

/** `Firefox 140 on Linux` */
export function deviceName(t: AccountVisit['t'], { browser, os }: SessionEntry['document']['device']): string {
  const short = browser === null ? null : shortBrowser(browser);
  if (short === null) return os ?? t('account.deviceUnknown');
  return os === null ? short : t('account.deviceOn', { browser: short, system: os });
}

/** Databases of places have a country by its code, or in English. */
function countryName(country: string | null | undefined, tag: string): string | undefined {
  if (country === null || country === undefined) return undefined;
  return /^[A-Z]{2}$/.test(country) ? new Intl.DisplayNames(tag, { type: 'region' }).of(country) : country;
}
