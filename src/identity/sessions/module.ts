import { epochRecords, settlingRecords } from '../../directory/epochs/index.ts';
import { type Module, steppedJob } from '../../kernel/modules/index.ts';
import type { WalkDependencies } from '../../kernel/organizations/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { SessionEndpointDependencies } from './endpoints/ending-endpoints.ts';
import { sessionEndpoints } from './endpoints/session-endpoints.ts';
import { tokenEndpoints } from './endpoints/token-endpoints.ts';
import { sessionQueries } from './lists/session-queries.ts';
import { endNoticeRecords, participationRecords } from './records/participation.ts';
import { userLogout } from './records/session-events.ts';
import { sessionRecords } from './records/session-record.ts';
import { tokenRevoked } from './records/token-events.ts';
import { tokenRecords } from './records/token-record.ts';
import { sweepSessions } from './service/sweep-sessions.ts';

export interface SessionJobServices extends WalkDependencies {
  readonly limits: { readonly endedSessionMs: number };
}

/** `/admin/sessions` and `/admin/tokens`. */
export const sessionsModule: Module<SessionEndpointDependencies, { readonly clock: Clock }, SessionJobServices> = {
  name: 'sessions',
  records: [sessionRecords, tokenRecords, epochRecords, settlingRecords, participationRecords, endNoticeRecords],
  events: [userLogout, tokenRevoked],
  endpoints: (services) => [...sessionEndpoints(services), ...tokenEndpoints(services)],
  queries: ({ clock }) => sessionQueries(clock),
  jobs: [
    steppedJob({ name: 'sessions', runs: 'in the cluster' }, (services: SessionJobServices) =>
      sweepSessions(services, services.limits.endedSessionMs),
    ),
  ],
};
