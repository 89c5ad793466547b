import type { Reply } from '../../../http/index.ts';
import type { Texts } from '../../../texts/index.ts';
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
const words: Readonly<Record<Stop, (t: Texts, name: string) => Words>> = {
  refused: (t, name) => told(422, t('federation.refused'), t('federation.refusedText', { name })),
  unreachable: (t, name) => told(503, t('federation.unreachable', { name }), t('federation.unreachableText')),
  rejected: (t, name) => told(422, t('federation.rejected'), t('federation.rejectedText', { name })),
  not_admitted: (t, name) => told(422, t('federation.notAdmitted'), t('federation.notAdmittedText', { name })),
  misconfigured: (t, name) =>
    told(503, t('federation.misconfigured', { name }), t('federation.misconfiguredText', { name })),
  over: (t) => told(400, t('problems.signInOver'), t('consent.overText'), t('federation.overBack')),
  not_offered: (t) => told(400, t('federation.notOffered'), t('federation.notOfferedText')),
  confirm_first: (t, name) =>
    told(
      422,
      t('federation.confirmFirst'),
      t('federation.confirmFirstText', { name }),
      t('federation.thenLink', { name }),
    ),
  link_first: (t, name) =>
    told(422, t('federation.linkFirst'), t('federation.linkFirstText'), t('federation.thenLink', { name })),
  no_signup: (t, name) => told(422, t('federation.noSignup'), t('federation.noSignupText', { name })),
  no_email: (t, name) => told(422, t('federation.noEmail'), t('federation.noEmailText', { name })),
  taken: (t, name) => told(422, t('federation.taken'), t('federation.takenText', { name })),
  too_many: (t) => told(422, t('federation.tooMany'), t('federation.tooManyText')),
};

function told(status: number, title: string, ...texts: readonly string[]): Words {
  return { status, title, texts };
}

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
  const { t } = context;
  const { status, title, texts } = words[stop](t, name);
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
          {t('frame.requestNumber')} <code>{requestId}</code>
        </p>
      )}
      {back === undefined ? null : (
        <ButtonLink href={back.href} kind="main">
          {back.label}
        </ButtonLink>
      )}
    </>,
  );
}

/** To the first page of a sign-in that goes on. */
export function toSignIn({ site, organization, t }: PageContext, flowId: string): Stopped['back'] {
  const flow = encodeURIComponent(flowId);
  return { label: t('federation.chooseWay'), href: `${issuerPath(site, organization.slug)}/signin?flow=${flow}` };
}

/** Where no sign-in is known that could go on: to a new one, or to the account of who is signed in. */
export function toBeginning({ site, organization, t }: PageContext): Stopped['back'] {
  return { label: t('federation.toSignIn'), href: `${issuerPath(site, organization.slug)}/signin` };
}

/**
 * Leads on to another site. A redirect would do, but for browsers that hold the answer to a form, and every redirect
 * after it, to the addresses at which the form may end: those of a provider's own detours are known to nobody.
 */
export function onwardPage(context: PageContext, name: string, url: string): Reply<never> {
  const { t } = context;
  const title = t('federation.onTo', { name });
  return renderPage(
    context,
    { title, headers: { refresh: `0;url=${url}` } },
    <>
      <h1>{title}</h1>
      <ButtonLink href={url} kind="main">
        {t('federation.goOn')}
      </ButtonLink>
    </>,
  );
}
