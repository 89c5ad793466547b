import type { Reply } from '../../../http/index.ts';
import { Button, Form, type PageContext, renderPage, SignedInAs, sourceOf } from '../../../identity/pages/index.ts';
import type { Texts } from '../../../texts/index.ts';
import { type ClientEntry, documentHost, isOnDevice } from '../clients/index.ts';
import type { DescribedScope } from './described-scopes.ts';

export interface ConsentView {
  readonly client: ClientEntry;
  readonly redirectUri: string;
  readonly scopes: readonly DescribedScope[];
  /** Who is signed in. */
  readonly account: string;
  readonly userId: string;
  readonly requestId: string;
  readonly action: string;
  readonly csrf: (action: string) => string;
}

/** Asks the user whether an application may have what it asks for. */
export function consentPage(context: PageContext, view: ConsentView): Reply<never> {
  const { client, redirectUri } = view;
  const { name } = client.document;
  const { t } = context;
  const title = t('consent.allowTitle', { application: name });
  const logo = logoOf(client);
  const options = {
    title,
    leadsTo: [sourceOf(redirectUri)],
    pictures: [logo],
  };
  return renderPage(
    context,
    options,
    <>
      {logo === undefined ? null : <img class="logo" src={logo} alt="" referrerpolicy="no-referrer" />}
      <h1>{title}</h1>
      <Unknown client={client} t={t} />
      <SignedInAs label={t('account.signedInAs')} account={view.account} />
      <p>{t('consent.thenCan', { application: name })}</p>
      <Scopes scopes={view.scopes} />
      <p class="hint">{t.rich('consent.destination', { place: <strong>{destinationOf(t, redirectUri)}</strong> })}</p>
      <OnDevice client={client} redirectUri={redirectUri} t={t} />
      <Form
        action={view.action}
        csrf={view.csrf}
        hidden={{ request: view.requestId, client: client.id, account: view.userId }}
      >
        <Button name="decision" value="allow">
          {t('consent.allow')}
        </Button>
        <Button name="decision" value="refuse" kind="other">
          {t('consent.deny')}
        </Button>
        <p class="foot">
          {t('consent.notYou')}{' '}
          <Button name="decision" value="switch" kind="plain">
            {t('consent.otherAccount')}
          </Button>
        </p>
      </Form>
      <Links client={client} t={t} />
    </>,
  );
}

/** Anybody can be behind a client that registered itself, under any name. */
interface ClientProps {
  readonly client: ClientEntry;
  readonly t: Texts;
}

function Unknown({ client, t }: ClientProps) {
  const { id, document } = client;
  if (document.kind === 'admin') return null;
  if (document.kind === 'document') {
    return <p class="caution">{t.rich('consent.selfDescribed', { host: <strong>{documentHost(id)}</strong> })}</p>;
  }
  return <p class="caution">{t('consent.selfRegistered')}</p>;
}

/** Every program on the device can listen there, and send people here in the name of another (RFC 8252, 8.6). */
function OnDevice({ client, redirectUri, t }: ClientProps & { readonly redirectUri: string }) {
  if (client.document.kind !== 'document' || !isOnDevice(redirectUri)) return null;
  return <p class="caution">{t('consent.onDevice')}</p>;
}

function Scopes({ scopes }: { readonly scopes: readonly DescribedScope[] }) {
  return (
    <ul class="scopes granted">
      {scopes.map(({ name, text }) => (
        <li key={name}>{text}</li>
      ))}
    </ul>
  );
}

function Links({ client, t }: ClientProps) {
  const { clientUri, policyUri, tosUri } = client.document;
  const links = [
    [t('consent.about'), clientUri],
    [t('consent.privacy'), policyUri],
    [t('consent.terms'), tosUri],
  ] as const;
  const there = links.flatMap(([text, href]) => (href === undefined ? [] : [{ text, href }]));
  if (there.length === 0) return null;
  return (
    <ul class="links beside">
      {there.map(({ text, href }) => (
        <li key={text}>
          <a href={href} rel="noopener noreferrer" target="_blank">
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A picture of somebody else's is no proof of who it is: only one that an administrator has chosen is shown. */
function logoOf({ document }: ClientEntry): string | undefined {
  return document.kind === 'admin' ? document.logoUri : undefined;
}

/** The host that the answer goes to, or the application on this device. */
export function destinationOf(t: Texts, redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host === '' || !protocol.startsWith('http') ? t('consent.onThisDevice', { scheme: protocol }) : host;
}
