import type { Reply } from '../../../http/index.ts';
import { ButtonLink, issuerPath, type PageContext, renderPage } from '../../pages/index.ts';
import type { UpstreamFault } from '../upstreams/upstream.ts';

/** Why somebody does not come in, or is not linked. */
export type Stop =
  | UpstreamFault
  /** The attempt is over, or of another browser. */
  | 'over'
  | 'not_offered'
  | 'confirm_first'
  | 'link_first'
  | 'no_signup'
  | 'no_email'
  | 'taken'
  | 'too_many';

interface Words {
  readonly status: number;
  readonly title: string;
  readonly texts: readonly string[];
}

/** What to do about each. What the network said is for the log. */
const words: Readonly<Record<Stop, (name: string) => Words>> = {
  refused: (name) => ({
    status: 422,
    title: 'You are not signed in',
    texts: [`${name} was not asked to let you in, or it was cancelled there. Nothing has changed.`],
  }),
  unreachable: (name) => ({
    status: 503,
    title: `${name} cannot be reached`,
    texts: ['Try again in a few minutes, or choose another way to sign in.'],
  }),
  rejected: (name) => ({
    status: 422,
    title: 'That did not work',
    texts: [
      `The answer of ${name} could not be accepted. Begin again; if it goes on, ask for help and tell the request.`,
    ],
  }),
  not_admitted: (name) => ({
    status: 422,
    title: 'Another account is needed',
    texts: [`Here only accounts of certain organizations at ${name} are admitted. Begin again with such an account.`],
  }),
  misconfigured: (name) => ({
    status: 503,
    title: `${name} is not set up correctly`,
    texts: [`You cannot do anything about it: please tell your administrator that signing in with ${name} fails.`],
  }),
  over: () => ({
    status: 400,
    title: 'This sign-in is over',
    texts: [
      'It took too long, was used already, or was begun in another browser.',
      'Go back to the application and begin again there.',
    ],
  }),
  not_offered: () => ({
    status: 400,
    title: 'This way is not offered',
    texts: ['Go back and choose another way to sign in.'],
  }),
  confirm_first: (name) => ({
    status: 422,
    title: 'Your e-mail address is not confirmed',
    texts: [
      `${name} has not verified your e-mail address. Sign in as you usually do, or create an account with your address.`,
      `Then link ${name} on your account page. From then on you can sign in with it.`,
    ],
  }),
  link_first: (name) => ({
    status: 422,
    title: 'You have an account already',
    texts: [
      'There is an account with this e-mail address. To be sure that it is yours, sign in as you usually do.',
      `Then link ${name} on your account page. From then on you can sign in with it.`,
    ],
  }),
  no_signup: (name) => ({
    status: 422,
    title: 'There is no account for you yet',
    texts: [`New accounts are not made through ${name}. Ask your administrator for one, or sign in another way.`],
  }),
  no_email: (name) => ({
    status: 422,
    title: 'An e-mail address is missing',
    texts: [`${name} has told no e-mail address that you have confirmed there. Allow it to, or sign in another way.`],
  }),
  taken: (name) => ({
    status: 422,
    title: 'It is linked already',
    texts: [`This account at ${name} is linked with another account here. Remove it there first.`],
  }),
  too_many: () => ({
    status: 422,
    title: 'There are too many',
    texts: ['Remove another one from your account first.'],
  }),
};

export interface Stopped {
  readonly stop: Stop;
  /** Of the provider. */
  readonly name: string;
  /** Where to go on: a path. */
  /** By which the log knows more of it. */
  readonly requestId?: string | undefined;
  readonly back?: { readonly label: string; readonly href: string } | undefined;
}

export function stopPage(context: PageContext, { stop, name, requestId, back }: Stopped): Reply<never> {
  const { status, title, texts } = words[stop](name);
  return renderPage(
    context,
    { title, status },
    <>
      <h1>{title}</h1>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {requestId === undefined ? null : (
        <p class="hint">
          Request <code>{requestId}</code>
        </p>
      )}
      {back === undefined ? null : <ButtonLink href={back.href}>{back.label}</ButtonLink>}
    </>,
  );
}

/** To the first page of a sign-in that goes on. */
export function toSignIn({ site, organization }: PageContext, flowId: string): Stopped['back'] {
  const flow = encodeURIComponent(flowId);
  return { label: 'Choose how to sign in', href: `${issuerPath(site, organization.slug)}/signin?flow=${flow}` };
}

/** Where no sign-in is known that could go on: to a new one, or to the account of who is signed in. */
export function toBeginning({ site, organization }: PageContext): Stopped['back'] {
  return { label: 'Go to sign-in', href: `${issuerPath(site, organization.slug)}/signin` };
}

/**
 * Leads on to another site. A redirect would do, but for browsers that hold the answer to a form, and every redirect
 * after it, to the addresses at which the form may end: those of a provider's own detours are known to nobody.
 */
export function onwardPage(context: PageContext, name: string, url: string): Reply<never> {
  const title = `On to ${name}`;
  return renderPage(
    context,
    { title, headers: { refresh: `0;url=${url}` } },
    <>
      <h1>{title}</h1>
      <ButtonLink href={url}>Go on</ButtonLink>
    </>,
  );
}
