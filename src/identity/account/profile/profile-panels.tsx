import type { ComponentChildren } from 'preact';
import type { OwnField } from '../../../directory/users/index.ts';
import { Button, Field, type FormFault, OpeningRow, Panel, Row } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { LanguageField, languageName, ZoneField } from './choice-fields.tsx';
import { labels, type Texts } from './profile-fields.ts';

interface PanelProps {
  readonly visit: AccountVisit;
  /** What users may change by themselves. */
  readonly own: readonly OwnField[];
  readonly open: OwnField | 'email' | undefined;
  readonly faults: readonly FormFault[];
  readonly values: Texts;
}

const nameFields = ['name', 'givenName', 'familyName'] as const;

export function AboutPanel(props: PanelProps) {
  const { visit } = props;
  const { t } = visit;
  const { name, givenName, familyName, picture } = visit.user.document;
  const whole = [givenName, familyName].filter((part) => part !== undefined).join(' ');
  const shown = [name, whole === name || whole === '' ? undefined : whole].filter((part) => part !== undefined);
  return (
    <Panel id="about" title={t('account.about')}>
      <ProfileRow {...props} names={nameFields} title={t('account.name')} value={shown.join(' · ')} />
      <ProfileRow {...props} names={['picture']} title={t('account.picture')} value={picture} />
    </Panel>
  );
}

interface ContactProps extends PanelProps {
  /** The row of the address. */
  readonly children: ComponentChildren;
}

export function ContactPanel({ children, ...props }: ContactProps) {
  const { t, user } = props.visit;
  return (
    <Panel id="contact" title={t('account.contact')}>
      {children}
      <ProfileRow {...props} names={['phoneNumber']} title={t('account.phone')} value={user.document.phoneNumber} />
    </Panel>
  );
}

export function LanguagePanel(props: PanelProps) {
  const { visit } = props;
  const { t } = visit;
  const { locale, zoneinfo } = visit.user.document;
  return (
    <Panel id="language" title={t('account.languageAndTime')}>
      <ProfileRow
        {...props}
        names={['locale']}
        title={t('account.language')}
        value={locale === undefined ? t('account.languageAsBrowser') : languageName(locale, t.tag)}
      />
      <ProfileRow
        {...props}
        names={['zoneinfo']}
        title={t('account.zone')}
        value={zoneinfo?.replaceAll('_', ' ') ?? t('account.zoneAsBrowser')}
      />
    </Panel>
  );
}

interface ProfileRowProps extends PanelProps {
  readonly names: readonly OwnField[];
  readonly title: string;
  readonly value: string | undefined;
}

/** Opens to those of its fields that are the user's to change. What policies decide by is set by administrators. */
function ProfileRow({ visit, own, open, faults, values, names, title, value }: ProfileRowProps) {
  const { t } = visit;
  const shown: ComponentChildren =
    value === undefined || value === '' ? <span class="muted">{t('account.notSet')}</span> : <bdi>{value}</bdi>;
  const changed = names.filter((name) => own.includes(name));
  if (changed.length === 0) {
    return (
      <Row title={title} value={shown}>
        <span class="hint">{t('account.setByOrganization')}</span>
      </Row>
    );
  }
  return (
    <OpeningRow
      id={`edit-${names[0]}`}
      title={title}
      value={shown}
      action={t('account.edit')}
      close={t('account.close')}
      isOpen={open !== undefined && names.some((name) => name === open)}
    >
      <AccountForm visit={visit} path="/account/profile" id={`form-${names[0]}`}>
        {changed.map((name) => (
          <OwnInput key={name} visit={visit} name={name} value={values[name]} faults={faults} />
        ))}
        <Button>{t('account.save')}</Button>
      </AccountForm>
    </OpeningRow>
  );
}

interface OwnInputProps {
  readonly visit: AccountVisit;
  readonly name: OwnField;
  readonly value: string | undefined;
  readonly faults: readonly FormFault[];
}

/** How browsers fill a field in, and what may be typed. */
const inputs = {
  name: { autocomplete: 'name', maxLength: 200 },
  givenName: { autocomplete: 'given-name', maxLength: 200 },
  familyName: { autocomplete: 'family-name', maxLength: 200 },
  picture: { autocomplete: 'photo', type: 'url', maxLength: 2048, hint: 'account.pictureHint' },
  phoneNumber: { autocomplete: 'tel', type: 'tel', maxLength: 32, hint: 'account.phoneHint' },
} as const;

function OwnInput({ visit: { t }, name, value, faults }: OwnInputProps) {
  const field = { name, label: t(labels[name]), value, faults };
  if (name === 'zoneinfo') return <ZoneField {...field} none={t('account.zoneAsBrowser')} />;
  if (name === 'locale')
    return (
      <LanguageField {...field} none={t('account.languageAsBrowser')} hint={t('account.languageHint')} tag={t.tag} />
    );
  const { hint, ...input } = { hint: undefined, ...inputs[name] };
  return (
    <Field
      {...field}
      {...input}
      value={value ?? ''}
      isRequired={false}
      {...(hint === undefined ? {} : { hint: t(hint) })}
    />
  );
}
