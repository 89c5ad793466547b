import { z } from 'zod';
import { type Endpoint, redirect } from '../../../http/index.ts';
import {
  type AccountDependencies,
  AccountForm,
  type AccountVisit,
  accountEndpoint,
  accountPage,
  Moment,
} from '../../../identity/account/index.ts';
import { Button } from '../../../identity/pages/index.ts';
import { notFound } from '../../../kernel/transactions/index.ts';
import { describedScopes } from '../consent/described-scopes.ts';
import { type ConnectedApplication, connectedApplications, disconnectOwn } from './connected.ts';

const path = '/orgs/{orgId}/account/applications';

/** What a user has let in, what it may, and the way to take that back. */
export function applicationPages(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'Connected applications',
      query: z.object({ done: z.string().max(32).optional() }),
      handler(visit) {
        const { organization, user, query } = visit;
        const { store } = organization;
        const found = dependencies.engine.read(() =>
          connectedApplications(store, user.id, dependencies.clock.now()).map((application) => ({
            application,
            reach: describedScopes(store, application.scopes),
          })),
        );
        return accountPage(
          visit,
          { room: '/account/applications', title: 'Connected applications', done: query.done },
          found.length === 0 ? (
            <p>No application is connected with your account.</p>
          ) : (
            <ul class="items">
              {found.map(({ application, reach }) => (
                <Application
                  key={application.clientId}
                  visit={visit}
                  application={application}
                  reach={reach.map(({ text }) => text)}
                />
              ))}
            </ul>
          ),
        );
      },
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/applications/disconnect',
      page: path,
      summary: 'Takes back what an application was allowed',
      body: z.object({ client: z.string().max(256).default('') }),
      async handler({ organization, user, body, facts, base }) {
        const parties = { userId: user.id, clientId: body.client };
        if (!(await disconnectOwn(dependencies, organization, parties, facts))) throw notFound();
        return redirect(303, `${base}/account/applications?done=application`);
      },
    }),
  ];
}

interface ApplicationProps {
  readonly visit: AccountVisit;
  readonly application: ConnectedApplication;
  readonly reach: readonly string[];
}

function Application({ visit, application, reach }: ApplicationProps) {
  const { clientId, name, isOwn, consentedAt, lastUsedAt } = application;
  const { locale, zoneinfo: zone } = visit.user.document;
  return (
    <li>
      <h2>{name}</h2>
      {isOwn ? null : <p class="hint">This application has registered itself.</p>}
      {reach.length === 0 ? null : (
        <>
          <p>It can:</p>
          <ul class="scopes">
            {reach.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">
        {consentedAt === undefined ? 'Your organization has connected it.' : 'You agreed '}
        {consentedAt === undefined ? null : (
          <>
            <Moment at={consentedAt} locale={locale} zone={zone} />.
          </>
        )}
        {lastUsedAt === undefined ? null : (
          <>
            {' Last active '}
            <Moment at={lastUsedAt} locale={locale} zone={zone} />.
          </>
        )}
      </p>
      <AccountForm visit={visit} path="/account/applications/disconnect" hidden={{ client: clientId }}>
        <Button kind="danger">
          Disconnect<span class="unseen">{` ${name}`}</span>
        </Button>
      </AccountForm>
    </li>
  );
}
