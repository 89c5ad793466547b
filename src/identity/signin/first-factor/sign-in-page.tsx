import type { ComponentChildren } from 'preact';
import type { Settings } from '../../../directory/settings/index.ts';
import {
  type Asset,
  Button,
  ErrorSummary,
  Field,
  Form,
  type FormFault,
  PasswordField,
  renderPage,
} from '../../pages/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow-record.ts';

/** A provider as its button names it. */
export interface ProviderButton {
  /** In the path. */
  readonly provider: string;
  readonly name: string;
}

/** A way to sign in that another feature has, as part of the page. */
export interface PagePiece {
  readonly markup: ComponentChildren;
  readonly scripts: readonly Asset[];
}

export interface SignInView {
  readonly flow: FlowEntry;
  readonly settings: Settings['signIn'];
  readonly providers: readonly ProviderButton[];
  readonly passkey: PagePiece | undefined;
  /** Whether mail can be sent: without it there are no links. */
  readonly hasMail: boolean;
  /** In email-first mode: whether the address has been given. */
  readonly isIdentified: boolean;
  readonly identifier: string;
  readonly faults: readonly FormFault[];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the form offers, from the settings. */
interface Ways {
  readonly hasPassword: boolean;
  readonly hasLink: boolean;
  /** Only the address is asked for: what follows comes after it. */
  readonly asksFirst: boolean;
}

export function waysOf({
  settings,
  hasMail,
  isIdentified,
}: Pick<SignInView, 'settings' | 'hasMail' | 'isIdentified'>): Ways {
  const { allowPassword, magicLinks, magicLinksOnly, emailFirst } = settings;
  const hasPassword = allowPassword && !magicLinksOnly;
  const hasLink = (magicLinks || magicLinksOnly) && hasMail;
  return { hasPassword, hasLink, asksFirst: emailFirst && !isIdentified && (hasPassword || hasLink) };
}

export function signInPage(visit: VisitorVisit, view: SignInView) {
  const { flow, passkey, faults, status, headers } = view;
  const { t } = visit;
  const options = {
    title: t('signIn.title'),
    status,
    headers,
    leadsTo: [flow.document.leadsTo],
    scripts: passkey?.scripts,
    isWelcome: true,
  };
  return renderPage(
    visit,
    options,
    <>
      <h1>{t('signIn.title')}</h1>
      {flow.document.client === undefined ? null : (
        <p class="hint">
          {t.rich('signIn.toContinueTo', { application: <strong dir="auto">{flow.document.client.name}</strong> })}
        </p>
      )}
      <ErrorSummary faults={faults} />
      {hasNoWay(view) ? <p>{t('signIn.noWay')}</p> : null}
      <OwnWays visit={visit} view={view} />
      <OtherWays visit={visit} view={view} />
      <NewHere visit={visit} view={view} />
    </>,
  );
}

function hasNoWay(view: SignInView): boolean {
  const { hasPassword, hasLink } = waysOf(view);
  return !hasPassword && !hasLink && view.passkey === undefined && view.providers.length === 0;
}

interface Props {
  readonly visit: VisitorVisit;
  readonly view: SignInView;
}

function OwnWays({ visit: { base, visitor, t }, view }: Props) {
  const { flow, identifier, faults } = view;
  const ways = waysOf(view);
  if (!ways.hasPassword && !ways.hasLink) return null;
  const withPassword = ways.hasPassword && !ways.asksFirst;
  return (
    <Form action={`${base}/signin`} csrf={visitor.csrf} hidden={{ flow: flow.id }}>
      <Field
        name="identifier"
        label={t(ways.hasPassword ? 'signIn.identifier' : 'signIn.email')}
        autocomplete="username webauthn"
        inputMode="email"
        value={identifier}
        faults={faults}
        isFirst={identifier === '' || !withPassword}
      />
      {withPassword ? (
        <PasswordField
          name="password"
          label={t('signIn.password')}
          autocomplete="current-password"
          show={t('frame.showPassword')}
          faults={faults}
          isFirst={identifier !== ''}
        />
      ) : null}
      {withPassword && view.hasMail ? (
        <p class="aside">
          <a href={`${base}/signin/forgot?flow=${flow.id}`}>{t('signIn.forgot')}</a>
        </p>
      ) : null}
      {ways.asksFirst ? (
        <Button name="way" value="identify">
          {t('signIn.continue')}
        </Button>
      ) : null}
      {withPassword ? (
        <Button name="way" value="password">
          {t('signIn.submit')}
        </Button>
      ) : null}
      {ways.hasLink && withPassword ? <p class="or">{t('signIn.or')}</p> : null}
      {ways.hasLink && !ways.asksFirst ? (
        <Button name="way" value="link" kind={withPassword ? 'other' : 'main'} skipsChecks={withPassword}>
          {t('signIn.sendLink')}
        </Button>
      ) : null}
    </Form>
  );
}

function OtherWays({ visit: { base, t }, view }: Props) {
  const { passkey, providers, flow } = view;
  if (passkey === undefined && providers.length === 0) return null;
  const { hasPassword, hasLink, asksFirst } = waysOf(view);
  // a link is one of the others already
  const isSaid = hasLink && hasPassword && !asksFirst;
  return (
    <>
      {(hasPassword || hasLink) && !isSaid ? <p class="or">{t('signIn.or')}</p> : null}
      {passkey?.markup}
      {providers.map(({ provider, name }) => (
        <a
          key={provider}
          class="button other"
          href={`${base}/signin/social/${encodeURIComponent(provider)}?flow=${flow.id}`}
        >
          {t('signIn.continueWith', { provider: name })}
        </a>
      ))}
    </>
  );
}

function NewHere({ visit: { base, t }, view: { settings, hasMail, flow } }: Props) {
  if (!settings.allowSignup || !hasMail) return null;
  return (
    <p class="foot">
      {t('signIn.noAccount')} <a href={`${base}/signin/signup?flow=${flow.id}`}>{t('signIn.createAccount')}</a>
    </p>
  );
}
