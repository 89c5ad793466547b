import type { Reply } from '../../../http/index.ts';
import { Button, ButtonLink, Form, type PageContext, renderPage, sourceOf } from '../../../identity/pages/index.ts';
import { destinationOf } from '../consent/consent-page.tsx';

interface Question {
  /** `{issuer}` as a path. */
  readonly base: string;
  readonly csrf: (action: string) => string;
  /** Who is signed in. */
  readonly email: string;
  /** Which application has sent the browser here. */
  readonly clientName: string | undefined;
  /** What is asked again by the form. */
  readonly hidden: Readonly<Record<string, string | undefined>>;
  /** Where it leads afterwards. */
  readonly target: string | undefined;
}

/** Nobody is signed out because some page has led the browser here. */
export function questionPage(context: PageContext, question: Question): Reply<never> {
  const { base, csrf, email, clientName, hidden, target } = question;
  const { t } = context;
  const leadsTo = target === undefined ? [] : [sourceOf(target)];
  return renderPage(
    context,
    { title: t('consent.signOut'), leadsTo },
    <>
      <h1>{t('consent.signOutAsk')}</h1>
      <p>
        {clientName === undefined ? null : `${t('consent.signOutFor', { application: clientName })} `}
        {t.rich('consent.signOutAs', { account: <strong>{email}</strong> })}
      </p>
      <Form action={`${base}/signout`} csrf={csrf} hidden={hidden}>
        <Button>{t('consent.signOut')}</Button>
      </Form>
      <ButtonLink href={`${base}/account`}>{t('consent.stay')}</ButtonLink>
    </>,
  );
}

/** @param target of an application that nobody here knows: a way on, for who wants to go there */
export function signedOutPage(context: PageContext, base: string, target?: string): Reply<never> {
  const { t } = context;
  return renderPage(
    context,
    { title: t('consent.signedOutTitle') },
    <>
      <h1>{t('consent.signedOut')}</h1>
      <p>{t('consent.signedOutText')}</p>
      {target === undefined ? null : (
        <p>
          <a href={target} rel="noreferrer">
            {t('consent.continueTo', { place: destinationOf(t, target) })}
          </a>
        </p>
      )}
      <ButtonLink href={`${base}/account`}>{t('consent.signInAgain')}</ButtonLink>
    </>,
  );
}
