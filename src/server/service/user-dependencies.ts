import { OrganizationMailer } from '../../directory/settings/index.ts';
import { PasswordHasher, type UserDependencies } from '../../directory/users/index.ts';
import { disownIdentities } from '../../identity/federation/index.ts';
import type { AuditMaker } from '../../kernel/audit/index.ts';
import type { QueryPool } from '../../kernel/queries/index.ts';
import type { AnyRecordKind } from '../../kernel/records/index.ts';
import { Numbers } from '../../kernel/transactions/index.ts';
import { type Config, type Log, Mailer, OutboundGuard, type Sealer } from '../../platform/index.ts';
import type { ReaderDependencies } from '../threads/open-reader.ts';
import { adminDependencies } from './admin-dependencies.ts';
import { assignableViews } from './assignable-views.ts';

export interface PeopleDependencies {
  readonly reader: ReaderDependencies;
  readonly queryPool: QueryPool;
  readonly audit: AuditMaker;
  readonly sealer: Sealer;
  readonly config: Config;
  readonly log: Log;
  /** Every kind of record that there is. */
  readonly records: readonly AnyRecordKind[];
}

/** How many numbers a thread takes at once: creating many users is then no race for a counter. */
const NUMBERS_AT_ONCE = 256;

/** What everything works with that is about the people of organizations: one for each thread. */
export function userDependencies({
  reader,
  queryPool,
  audit,
  sealer,
  config,
  log,
  records,
}: PeopleDependencies): UserDependencies {
  const { engine } = reader;
  const { baseUrl, smtpUrl, allowPrivateUrls } = config;
  const server = new Mailer(new OutboundGuard(allowPrivateUrls), smtpUrl);
  return {
    ...adminDependencies(reader, audit),
    queryPool,
    mailer: new OrganizationMailer({ engine, sealer, baseUrl, log, mailer: server }),
    hasher: new PasswordHasher(),
    numbers: new Numbers(engine, NUMBERS_AT_ONCE),
    baseUrl,
    views: assignableViews,
    forget: (store, userId) => records.flatMap((kind) => kind.forget(store, userId)),
    disown: disownIdentities,
  };
}
