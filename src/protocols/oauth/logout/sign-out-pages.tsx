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
  const leadsTo = target === undefined ? [] : [sourceOf(target)];
  return renderPage(
    context,
    { title: 'Sign out', leadsTo },
    <>
      <h1>Sign out?</h1>
      <p>
        {clientName === undefined ? null : `${clientName} asks to sign you out. `}You are signed in as{' '}
        <strong>{email}</strong>. Applications that you have opened from here end their sessions, too.
      </p>
      <Form action={`${base}/signout`} csrf={csrf} hidden={hidden}>
        <Button>Sign out</Button>
      </Form>
      <ButtonLink href={`${base}/account`}>Stay signed in</ButtonLink>
    </>,
  );
}

/** @param target of an application that nobody here knows: a way on, for who wants to go there */
export function signedOutPage(context: PageContext, base: string, target?: string): Reply<never> {
  return renderPage(
    context,
    { title: 'Signed out' },
    <>
      <h1>You are signed out</h1>
      <p>This browser is no longer signed in here. On a computer that others use, close the browser as well.</p>
      {target === undefined ? null : (
        <p>
          <a href={target} rel="noreferrer">{`Continue to ${destinationOf(target)}`}</a>
        </p>
      )}
      <ButtonLink href={`${base}/account`}>Sign in again</ButtonLink>
    </>,
  );
}
