import { z } from 'zod';
import type { Store } from '#engine';
import { countsNow, getUser } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import type { Endpoint } from '../../../http/index.ts';
import { Button, Form, renderPage } from '../../pages/index.ts';
import { visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { type SignInPageDependencies, tokenText } from '../pages-dependencies.ts';
import { linkIsOver } from '../problems.ts';
import { epochsOf } from '../sign-in.ts';
import { followed } from './followed.ts';
import { spendLink } from './link-record.ts';

const fields = z.object({ token: tokenText });

/** What was mailed before links were switched off leads nowhere. */
function requireLinks(store: Store): void {
  const { magicLinks, magicLinksOnly } = readSettings(store).signIn;
  if (!magicLinks && !magicLinksOnly) throw linkIsOver();
}

/** `{issuer}/signin/link`: programs that look into mail open links, so that only a form signs in. */
export function magicLinkEndpoints(pages: SignInPageDependencies): Endpoint[] {
  const { dependencies, signIn } = pages;
  return [
    visitorEndpoint(dependencies, {
      method: 'GET',
      path: '/orgs/{orgId}/signin/link',
      summary: 'A link to sign in',
      query: fields,
      handler(visit) {
        const { query, base, visitor } = visit;
        const { link, flow } = dependencies.engine.read(() => {
          requireLinks(visit.organization.store);
          return followed(dependencies, visit, 'magic', query.token);
        });
        return renderPage(
          visit,
          { title: 'Sign in', leadsTo: [flow.document.leadsTo] },
          <>
            <h1>Sign in</h1>
            <p>
              You are about to sign in as <strong>{link.document.email}</strong>.
            </p>
            <Form action={`${base}/signin/link`} csrf={visitor.csrf} hidden={{ token: query.token }}>
              <Button>Sign in</Button>
            </Form>
          </>,
        );
      },
    }),
    visitorEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/signin/link',
      summary: 'Sign in by a link',
      body: fields,
      handler(visit) {
        const { organization, visitor, facts, body } = visit;
        const { store } = organization;
        const { link, flow, userId, epochs } = dependencies.engine.read(() => {
          const found = followed(dependencies, visit, 'magic', body.token);
          requireLinks(store);
          const user = getUser(store, found.link.document.userId ?? '');
          const isGood =
            user !== undefined && countsNow(user.document) && user.document.email === found.link.document.email;
          if (!isGood) throw linkIsOver();
          return { ...found, userId: user.id, epochs: epochsOf(store, user.id) };
        });
        const { email } = link.document;
        const proof = { userId, method: 'password', amr: ['email'], mfa: false, account: email } as const;
        const also = spendLink(store, link);
        return signIn.proved(
          organization,
          visitor,
          flow,
          { ...proof, verifiedEmail: email, epochs },
          facts,
          () => also,
        );
      },
    }),
  ];
}
