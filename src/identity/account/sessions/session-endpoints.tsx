import { z } from 'zod';
import { type Endpoint, redirect } from '../../../http/index.ts';
import { endOtherSessions, endOwnSession, ownSessions } from '../../sessions/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { DeviceList } from './device-list.tsx';

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
          {
            room: 'devices',
            title: visit.t('account.devices'),
            lead: visit.t('account.devicesLead'),
            done: query.done,
          },
          <DeviceList visit={visit} sessions={found} />,
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
