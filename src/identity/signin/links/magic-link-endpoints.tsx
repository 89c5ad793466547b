import { z } from 'zod';
import type { Store } from '#engine';
import { readSettings } from '../../../directory/settings/index.ts';
import type { Endpoint, Reply } from '../../../http/index.ts';
import { systemActor } from '../../../kernel/audit/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import type { Texts } from '../../../texts/index.ts';
import { Button, Form, Name, renderPage } from '../../pages/index.ts';
import { formPage, type VisitorVisit } from '../browser/visitor-endpoint.ts';
import { type SignInPageDependencies, tokenQuery } from '../pages-dependencies.ts';
import { linkIsOver } from '../problems.ts';
import { epochsOf, type Proof } from '../sign-in.ts';
import { type Followed, flowOf, followed, followedByUser, telling } from './followed.ts';
import { spendLink } from './link-record.ts';

/** What was mailed before links were switched off leads nowhere. */
function requireLinks(store: Store): void {
  const { magicLinks, magicLinksOnly } = readSettings(store).signIn;
  if (!magicLinks && !magicLinksOnly) throw linkIsOver();
}

/** `{issuer}/signin/link`: programs that look into mail open links, so that only a form signs in. */
export function magicLinkEndpoints(pages: SignInPageDependencies): Endpoint[] {
  return formPage(pages, '/signin/link', {
    show: {
      summary: 'A link to sign in',
      query: tokenQuery,
      handler(visit) {
        const found = pages.engine.read(() => {
          requireLinks(visit.organization.store);
          return followed(pages, visit, 'magic', visit.query.token);
        });
        return confirmationPage(visit, found, visit.query.token);
      },
    },
    send: {
      summary: 'Sign in by a link',
      body: tokenQuery.extend({ where: z.enum(['here', 'there']).default('here') }),
      handler: (visit) =>
        visit.body.where === 'there'
          ? approved(pages, visit, visit.body.token)
          : signedIn(pages, visit, visit.body.token),
    },
  });
}

/** In another browser than the one that asked, people see what asked, and choose where they go on. */
function confirmationPage(visit: VisitorVisit, { link, flow, asked }: Followed, token: string) {
  const { base, visitor, t } = visit;
  const { email, from, askedAt } = link.document;
  const device = from ?? t('links.unknownDevice');
  const client = asked?.document.client?.name;
  return renderPage(
    visit,
    { title: t('links.signInTitle'), leadsTo: [flow?.document.leadsTo] },
    <>
      <h1>{t('links.signInTitle')}</h1>
      <p>{t.rich('links.signInAs', { email: <strong>{email}</strong> })}</p>
      {asked === undefined ? null : (
        <p>
          {t.rich('links.askedElsewhere', {
            time: <Clock t={t} at={askedAt ?? asked.document.createdAt} />,
            device: <strong>{device}</strong>,
          })}
          {client === undefined ? null : (
            <> {t.rich('links.askedElsewhereFor', { application: <Name text={client} /> })}</>
          )}
        </p>
      )}
      <Form action={`${base}/signin/link`} csrf={visitor.csrf} hidden={{ token }}>
        <Button name="where" value="here">
          {t(asked === undefined ? 'links.signIn' : 'links.signInHere')}
        </Button>
        {asked === undefined ? null : (
          <>
            <Button name="where" value="there" kind="other">
              {t('links.signInThere')}
            </Button>
            <p class="hint">{t('links.thereCaution')}</p>
          </>
        )}
      </Form>
    </>,
  );
}

/** Hours and minutes in UTC, which `pages.js` says in the zone of the browser. */
function Clock({ t, at }: { readonly t: Texts; readonly at: number }) {
  return (
    <time datetime={new Date(at).toISOString()} data-local={t.tag} data-clock>
      {t.time(at)}
    </time>
  );
}

/** The link with its user, while both are good. To be called inside `Engine.read`. */
function linkedUser(pages: SignInPageDependencies, visit: VisitorVisit, token: string) {
  const { store } = visit.organization;
  const found = followedByUser(pages, visit, 'magic', token);
  requireLinks(store);
  const { id: userId, document } = found.user;
  return { found, userId, email: document.email, epochs: epochsOf(store, userId) };
}

async function signedIn(pages: SignInPageDependencies, visit: VisitorVisit, token: string): Promise<Reply<never>> {
  const { store } = visit.organization;
  const linked = pages.engine.read(() => linkedUser(pages, visit, token));
  const { found } = linked;
  const also = () => spendLink(store, found.link, telling(store, found, { kind: 'used' }));
  return pages.signIn.proved(visit, await flowOf(pages, visit, found), proofOf(linked), also);
}

/** Lets the browser go on that asked, and waits. */
async function approved(pages: SignInPageDependencies, visit: VisitorVisit, token: string): Promise<Reply<never>> {
  const { organization, facts, t } = visit;
  const { store } = organization;
  await transactAs(pages, organization, systemActor, facts, (transaction) => {
    const { found, userId, email, epochs } = linkedUser(pages, visit, token);
    if (found.asked === undefined) throw linkIsOver();
    const told = telling(store, found, { kind: 'approved', userId, email, epochs });
    transaction.add(spendLink(store, found.link, told));
  });
  return renderPage(
    visit,
    { title: t('links.thereTitle') },
    <>
      <h1>{t('links.thereTitle')}</h1>
      <p role="status">{t('links.there')}</p>
    </>,
  );
}

/** Who reads the mail of an address has it. */
export function proofOf({ userId, email, epochs }: Pick<Linked, 'userId' | 'email' | 'epochs'>): Proof {
  return { userId, method: 'password', amr: ['email'], mfa: false, account: email, verifiedEmail: email, epochs };
}

type Linked = ReturnType<typeof linkedUser>;
