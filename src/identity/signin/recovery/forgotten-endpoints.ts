import type { z } from 'zod';
import { endAllOf } from '../../../directory/epochs/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { changeOwnPassword, passwordState } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError, problem } from '../../../http/index.ts';
import { said } from '../../../texts/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { formPage, type VisitorVisit } from '../browser/visitor-endpoint.ts';
import { flowOf, followedByUser, telling } from '../links/followed.ts';
import { linkPageEndpoints } from '../links/link-page-endpoints.tsx';
import { spendLink } from '../links/link-record.ts';
import { newPasswordPage, setPassword } from '../new-password/new-password-page.tsx';
import { passwordText, type SignInPageDependencies, tokenQuery } from '../pages-dependencies.ts';
import { linkIsOver } from '../problems.ts';

const reset = tokenQuery.extend({ password: passwordText });

/** `{issuer}/signin/forgot` mails a link, and `{issuer}/signin/reset` is what it opens. */
export function forgottenEndpoints(pages: SignInPageDependencies): Endpoint[] {
  return [
    ...linkPageEndpoints(pages, {
      screen: 'forgot',
      purpose: 'reset',
      title: 'links.forgotTitle',
      reason: 'links.forgotReason',
      button: 'links.forgotButton',
      back: 'links.backToSignIn',
      about: 'Forgotten password',
      summary: 'Ask for a link to set a new password',
      requireOpen: (visit) => requirePasswords(pages, visit),
    }),
    ...formPage(pages, '/signin/reset', {
      show: {
        summary: 'A link to set a new password',
        query: tokenQuery,
        handler: (visit) => resetPage(pages, visit, visit.query.token, []),
      },
      send: {
        summary: 'Set a new password by a link',
        body: reset,
        handler: (visit) => setByLink(pages, visit, visit.body),
      },
    }),
  ];
}

/** @throws ProblemError 404 where nobody signs in with a password */
function requirePasswords({ engine, mailer }: SignInPageDependencies, { organization: { store } }: VisitorVisit): void {
  const isOpen = engine.read(() => {
    const { allowPassword, magicLinksOnly } = readSettings(store).signIn;
    return allowPassword && !magicLinksOnly && mailer.canSend(store);
  });
  if (!isOpen) throw new ProblemError(problem('not_found', said('links.passwordsClosed')));
}

/** The link and its user, while both are good. To be called inside `Engine.read`. */
function linkedUser(pages: SignInPageDependencies, visit: VisitorVisit, token: string) {
  const found = followedByUser(pages, visit, 'reset', token);
  const { changedAt } = passwordState(visit.organization.store, found.user.id);
  if (changedAt !== found.link.document.passwordAt) throw linkIsOver();
  return found;
}

function resetPage(pages: SignInPageDependencies, visit: VisitorVisit, token: string, faults: readonly FormFault[]) {
  requirePasswords(pages, visit);
  const { flow, user } = pages.engine.read(() => linkedUser(pages, visit, token));
  return newPasswordPage(pages, visit, {
    title: 'links.resetTitle',
    reason: 'links.resetReason',
    action: '/signin/reset',
    hidden: { token },
    user: user.document,
    isNamed: true,
    leadsTo: flow?.document.leadsTo,
    faults,
  });
}

function setByLink(pages: SignInPageDependencies, visit: VisitorVisit, { token, password }: z.output<typeof reset>) {
  const { organization, facts } = visit;
  const { store } = organization;
  requirePasswords(pages, visit);
  const found = pages.engine.read(() => linkedUser(pages, visit, token));
  const { id: userId, document } = found.user;
  const ends = () => {
    linkedUser(pages, visit, token);
    const { changes, preconditions } = spendLink(store, found.link, telling(store, found, { kind: 'used' }));
    return { changes: [...endAllOf(store, userId), ...changes], preconditions };
  };
  const { email } = document;
  const proof = { userId, method: 'password', amr: ['pwd'], mfa: false, account: email, verifiedEmail: email } as const;
  return setPassword(visit, password, {
    again: (faults) => resetPage(pages, visit, token, faults),
    set: () => changeOwnPassword(pages, organization, facts, { userId, password, ends, how: 'reset' }),
    done: async () => pages.signIn.proved(visit, await flowOf(pages, visit, found), proof),
  });
}
