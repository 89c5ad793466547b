import type { Reply } from '../../../http/index.ts';
import { Button, Form, type PageContext, renderPage, sourceOf } from '../../../identity/pages/index.ts';
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
  const logo = logoOf(client);
  const options = {
    title: `Allow ${name}?`,
    leadsTo: [sourceOf(redirectUri)],
    pictures: [logo],
  };
  return renderPage(
    context,
    options,
    <>
      {logo === undefined ? null : <img class="logo" src={logo} alt="" referrerpolicy="no-referrer" />}
      <h1>{`Allow ${name}?`}</h1>
      <Unknown client={client} />
      <p>{`You are signed in as ${view.account}. If you agree, ${name} can:`}</p>
      <Scopes scopes={view.scopes} />
      <p class="hint">
        {'The answer goes to '}
        <strong>{destinationOf(redirectUri)}</strong>
        {'. You can take this back on your account page.'}
      </p>
      <OnDevice client={client} redirectUri={redirectUri} />
      <Form
        action={view.action}
        csrf={view.csrf}
        hidden={{ request: view.requestId, client: client.id, account: view.userId }}
      >
        <Button name="decision" value="allow">
          Allow
        </Button>
        <Button name="decision" value="refuse" kind="other">
          Refuse
        </Button>
        <p class="hint">
          {'Not you? '}
          <Button name="decision" value="switch" kind="plain">
            Use another account
          </Button>
        </p>
      </Form>
      <Links client={client} />
    </>,
  );
}

/** Anybody can be behind a client that registered itself, under any name. */
function Unknown({ client }: { readonly client: ClientEntry }) {
  const { id, document } = client;
  if (document.kind === 'admin') return null;
  if (document.kind === 'document') {
    return (
      <p class="caution">
        {'This application describes itself at '}
        <strong>{documentHost(id)}</strong>
        {'. Nobody in this organization has checked it. Agree only if you trust that address.'}
      </p>
    );
  }
  return (
    <p class="caution">
      This application has registered itself. Nobody in this organization has checked it. Agree only if you trust the
      address below.
    </p>
  );
}

/** Every program on the device can listen there, and send people here in the name of another (RFC 8252, 8.6). */
function OnDevice({ client, redirectUri }: { readonly client: ClientEntry; readonly redirectUri: string }) {
  if (client.document.kind !== 'document' || !isOnDevice(redirectUri)) return null;
  return (
    <p class="caution">
      This is a program on your device, and any program on it could ask in the name of this application. Agree only if
      you have just started the application yourself.
    </p>
  );
}

function Scopes({ scopes }: { readonly scopes: readonly DescribedScope[] }) {
  return (
    <ul class="scopes">
      {scopes.map(({ name, text }) => (
        <li key={name}>{text}</li>
      ))}
    </ul>
  );
}

function Links({ client }: { readonly client: ClientEntry }) {
  const { clientUri, policyUri, tosUri } = client.document;
  const links = [
    ['About this application', clientUri],
    ['Privacy', policyUri],
    ['Terms', tosUri],
  ] as const;
  const there = links.flatMap(([text, href]) => (href === undefined ? [] : [{ text, href }]));
  if (there.length === 0) return null;
  return (
    <ul class="links">
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
export function destinationOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host === '' || !protocol.startsWith('http') ? `an application on this device (${protocol})` : host;
}
