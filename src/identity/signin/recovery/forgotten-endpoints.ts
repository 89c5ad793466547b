import { z } from 'zod';
import { endAllOf } from '../../../directory/epochs/index.ts';
import { countsNow, getUser } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { changeOwnPassword, passwordState } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError, problem } from '../../../http/index.ts';
import { said } from '../../../texts/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { flowOf, followed, telling } from '../links/followed.ts';
import { linkPageEndpoints } from '../links/link-page-endpoints.tsx';
import { spendLink } from '../links/link-record.ts';
import { strengthCheck } from '../new-password/strength.ts';
import { faultsOf, passwordText, type SignInPageDependencies, tokenText } from '../pages-dependencies.ts';
import { linkIsOver } from '../problems.ts';
import { emptyPassword, newPasswordPage } from './password-form.tsx';

type Visit = VisitorVisit<unknown, unknown>;

const reset = z.object({ token: tokenText, password: passwordText });

/** `{issuer}/signin/forgot` mails a link, and `{issuer}/signin/reset` is what it opens. */
export function forgottenEndpoints(pages: SignInPageDependencies): Endpoint[] {
  const { dependencies } = pages;
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
    visitorEndpoint(dependencies, {
      method: 'GET',
      path: '/orgs/{orgId}/signin/reset',
      summary: 'A link to set a new password',
      query: z.object({ token: tokenText }),
      handler: (visit) => resetPage(pages, visit, visit.query.token, []),
    }),
    visitorEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/signin/reset',
      summary: 'Set a new password by a link',
      body: reset,
      handler: (visit) => setByLink(pages, visit, visit.body),
    }),
  ];
}

/** @throws ProblemError 404 where nobody signs in with a password */
function requirePasswords(
  { dependencies: { engine, mailer } }: SignInPageDependencies,
  { organization: { store } }: Visit,
): void {
  const isOpen = engine.read(() => {
    const { allowPassword, magicLinksOnly } = readSettings(store).signIn;
    return allowPassword && !magicLinksOnly && mailer.canSend(store);
  });
  if (!isOpen) throw new ProblemError(problem('not_found', said('links.passwordsClosed')));
}

/** The link and its user, while both are good. To be called inside `Engine.read`. */
function linkedUser({ dependencies }: SignInPageDependencies, visit: Visit, token: string) {
  const { store } = visit.organization;
  const found = followed(dependencies, visit, 'reset', token);
  const user = getUser(store, found.link.document.userId ?? '');
  const { email, passwordAt } = found.link.document;
  if (user === undefined || !countsNow(user.document) || user.document.email !== email) throw linkIsOver();
  if (passwordState(store, user.id).changedAt !== passwordAt) throw linkIsOver();
  return { ...found, user };
}

function resetPage(pages: SignInPageDependencies, visit: Visit, token: string, faults: readonly FormFault[]) {
  requirePasswords(pages, visit);
  const { store } = visit.organization;
  const { flow, link, user, policy } = pages.dependencies.engine.read(() => {
    return { ...linkedUser(pages, visit, token), policy: readSettings(store).passwordPolicy };
  });
  return newPasswordPage(visit, {
    title: visit.t('links.resetTitle'),
    reason: visit.t('links.resetReason'),
    action: '/signin/reset',
    hidden: { token },
    account: link.document.email,
    policy,
    strength: strengthCheck(pages.dependencies.sealer, visit, user.document),
    leadsTo: flow?.document.leadsTo,
    faults,
  });
}

async function setByLink(pages: SignInPageDependencies, visit: Visit, { token, password }: z.output<typeof reset>) {
  const { dependencies, signIn } = pages;
  const { organization, visitor, facts } = visit;
  const { store } = organization;
  requirePasswords(pages, visit);
  const empty = emptyPassword(visit.t, password);
  if (empty.length > 0) return resetPage(pages, visit, token, empty);
  const found = dependencies.engine.read(() => linkedUser(pages, visit, token));
  const { user, link } = found;
  const ends = () => {
    linkedUser(pages, visit, token);
    const { changes, preconditions } = spendLink(store, link, telling(store, found, { kind: 'used' }));
    return { changes: [...endAllOf(store, user.id), ...changes], preconditions };
  };
  try {
    await changeOwnPassword(dependencies, organization, facts, { userId: user.id, password, ends, how: 'reset' });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return resetPage(pages, visit, token, faultsOf(visit.t, error, ['password']));
  }
  const { email } = user.document;
  const proof = { userId: user.id, method: 'password', amr: ['pwd'], mfa: false, account: email } as const;
  const flow = await flowOf(pages, visit, found);
  return signIn.proved(organization, visitor, flow, { ...proof, verifiedEmail: email }, facts);
}
