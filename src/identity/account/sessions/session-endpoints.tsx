import { z } from 'zod';
import { type Endpoint, redirect } from '../../../http/index.ts';
import { Button } from '../../pages/index.ts';
import { endOtherSessions, endOwnSession, ownSessions, type SessionEntry } from '../../sessions/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { accountPage } from '../frame/account-page.tsx';
import { Moment } from '../frame/moment.tsx';

const path = '/orgs/{orgId}/account/sessions';

/** Where a user is signed in, and the way out of there. */
export function sessionPageEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'Where the user is signed in',
      query: z.object({ done: z.string().max(32).optional() }),
      handler(visit) {
        const { organization, user, query } = visit;
        const found = dependencies.engine.read(() =>
          ownSessions(organization.store, user.id, dependencies.clock.now()),
        );
        return accountPage(
          visit,
          { room: '/account/sessions', title: 'Devices', done: query.done },
          <Devices visit={visit} sessions={found} />,
        );
      },
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/sessions/end',
      page: path,
      summary: 'Signs out on another device',
      body: z.object({ session: z.string().max(128).default('') }),
      async handler({ organization, user, session, body, facts, base }) {
        // this one has a button of its own, which takes the cookies away as well
        if (body.session === session.id) return redirect(303, `${base}/signout`);
        await endOwnSession(dependencies, organization, user.id, body.session, facts);
        return redirect(303, `${base}/account/sessions?done=session`);
      },
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/sessions/end-others',
      page: path,
      summary: 'Signs out everywhere else',
      async handler({ organization, user, session, facts, base }) {
        await endOtherSessions(dependencies, organization, session.id, user.id, facts);
        return redirect(303, `${base}/account/sessions?done=sessions`);
      },
    }),
  ];
}

interface DevicesProps {
  readonly visit: AccountVisit;
  readonly sessions: readonly SessionEntry[];
}

function Devices({ visit, sessions }: DevicesProps) {
  const { session } = visit;
  return (
    <>
      <p>You are signed in here. Sign out of what you do not know, and change your password then.</p>
      <ul class="items">
        {sessions.map((each) => (
          <Device key={each.id} visit={visit} entry={each} isThis={each.id === session.id} />
        ))}
      </ul>
      {sessions.length < 2 ? null : (
        <AccountForm visit={visit} path="/account/sessions/end-others" id="end-others">
          <Button kind="danger">Sign out everywhere else</Button>
        </AccountForm>
      )}
    </>
  );
}

interface DeviceProps {
  readonly visit: AccountVisit;
  readonly entry: SessionEntry;
  readonly isThis: boolean;
}

function Device({ visit, entry, isThis }: DeviceProps) {
  const { device, location, ipAddress, createdAt, lastActiveAt } = entry.document;
  const { locale, zoneinfo: zone } = visit.user.document;
  const browser = device.browser?.replace(/^(.*?\d+)(?:\.\d+)+$/, '$1') ?? null;
  const name = [browser, device.os].filter((part) => part !== null).join(', ') || 'An unknown browser';
  const place = [location?.city, location?.country, ipAddress].filter((part) => (part ?? '') !== '').join(', ');
  return (
    <li>
      <h2>
        {name}
        {isThis ? ' (this browser)' : ''}
      </h2>
      <p class="hint">
        {place === '' ? null : `${place}. `}
        {'Signed in '}
        <Moment at={createdAt} locale={locale} zone={zone} />
        {', last active '}
        <Moment at={lastActiveAt} locale={locale} zone={zone} />.
      </p>
      {isThis ? null : (
        <AccountForm visit={visit} path="/account/sessions/end" hidden={{ session: entry.id }}>
          <Button kind="other">
            Sign out<span class="unseen">{` of ${name}`}</span>
          </Button>
        </AccountForm>
      )}
    </li>
  );
}
