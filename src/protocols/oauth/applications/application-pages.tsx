import { z } from 'zod';
import { userActing } from '../../../directory/records/index.ts';
import { type Endpoint, redirect } from '../../../http/index.ts';
import {
  type AccountDependencies,
  AccountForm,
  type AccountVisit,
  accountEndpoint,
  accountPage,
  Moment,
} from '../../../identity/account/index.ts';
import { About, Avatar, Button, Confirm, Empty, Name, Panel } from '../../../identity/pages/index.ts';
import { notFound, transactAs } from '../../../kernel/transactions/index.ts';
import { describedScopes } from '../consent/described-scopes.ts';
import { type ConnectedApplication, connectedApplications, disconnect } from './connected.ts';

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
            reach: describedScopes(visit.t, store, application.scopes),
          })),
        );
        const { t } = visit;
        return accountPage(
          visit,
          {
            room: 'applications',
            title: t('account.applications'),
            lead: t('account.applicationsLead'),
            done: query.done,
          },
          <Panel id="applications" title={t('account.applicationsConnected')}>
            {found.length === 0 ? <Empty>{t('account.applicationsNone')}</Empty> : null}
            {found.map(({ application, reach }) => (
              <Application
                key={application.clientId}
                visit={visit}
                application={application}
                reach={reach.map(({ text }) => text)}
              />
            ))}
          </Panel>,
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
        const had = await disconnect({ userId: user.id, clientId: body.client }, (run) =>
          transactAs(dependencies, organization, userActing(user.id), facts, run),
        );
        if (!had) throw notFound();
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
  const { t } = visit;
  const { clientId, name, isOwn, consentedAt, lastUsedAt } = application;
  return (
    <div class="row">
      <Avatar name={name} />
      <div class="row-text">
        <h3>
          <Name text={name} />
        </h3>
        {isOwn ? null : <p class="hint">{t('account.applicationOwn')}</p>}
        {reach.length === 0 ? null : (
          <>
            <p>{t('account.applicationCan')}</p>
            <ul class="scopes">
              {reach.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </>
        )}
        <ul class="facts">
          <li>
            {consentedAt === undefined
              ? t('account.applicationByOrganization')
              : t.rich('account.applicationAllowed', { time: <Moment visit={visit} at={consentedAt} /> })}
          </li>
          {lastUsedAt === undefined ? null : (
            <li>{t.rich('account.applicationUsed', { time: <Moment visit={visit} at={lastUsedAt} /> })}</li>
          )}
        </ul>
      </div>
      <Confirm
        action={
          <>
            {t('account.applicationRemove')}
            <About name={name} />
          </>
        }
        question={t('account.applicationQuestion', { name })}
      >
        <AccountForm visit={visit} path="/account/applications/disconnect" hidden={{ client: clientId }}>
          <Button kind="danger" isSmall>
            {t('account.applicationRemoveNow', { name })}
          </Button>
        </AccountForm>
      </Confirm>
    </div>
  );
}
