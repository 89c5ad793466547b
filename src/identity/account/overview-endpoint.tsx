import { z } from 'zod';
import type { Endpoint } from '../../http/index.ts';
import type { AccountDependencies } from './dependencies.ts';
import { accountEndpoint } from './frame/account-endpoint.ts';
import { accountPage } from './frame/account-page.tsx';
import { Moment } from './frame/moment.tsx';

/** The door of the account: who is signed in here. */
export function overviewEndpoint(dependencies: AccountDependencies): Endpoint {
  return accountEndpoint(dependencies, {
    method: 'GET',
    path: '/orgs/{orgId}/account',
    summary: 'The account',
    query: z.object({ done: z.string().max(32).optional() }),
    handler(visit) {
      const { name, givenName, email, emailVerified, locale, zoneinfo, createdAt } = visit.user.document;
      return accountPage(
        visit,
        { room: '/account', title: `Hello${greeting(name ?? givenName)}`, done: visit.query.done },
        <>
          <p>
            {'Your account at '}
            <strong>{visit.brand.name}</strong>
            {', since '}
            <Moment at={createdAt} locale={locale} zone={zoneinfo} />.
          </p>
          <dl>
            <div>
              <dt>E-mail address</dt>
              <dd>
                {email}
                {emailVerified ? '' : ' (not confirmed)'}
              </dd>
            </div>
          </dl>
        </>,
      );
    },
  });
}

function greeting(name: string | undefined): string {
  return name === undefined ? '' : `, ${name}`;
}
