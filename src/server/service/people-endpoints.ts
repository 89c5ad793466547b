import { Numbers } from '../../admin/index.ts';
import type { AuditMaker } from '../../audit/index.ts';
import type { HeavyRunner } from '../../heavy/index.ts';
import type { Endpoint } from '../../http/index.ts';
import { type Config, type Log, Mailer, OutboundGuard, type Sealer } from '../../platform/index.ts';
import { OrganizationMailer } from '../../settings/index.ts';
import { PasswordHasher, userEndpoints } from '../../users/index.ts';
import type { ReaderParts } from '../threads/open-reader.ts';
import { adminParts } from './admin-parts.ts';
import { givenViews } from './given-views.ts';

export interface PeopleParts {
  readonly reader: ReaderParts;
  readonly heavy: HeavyRunner;
  readonly audit: AuditMaker;
  readonly sealer: Sealer;
  readonly config: Config;
  readonly log: Log;
}

/** How many numbers a thread takes at once: creating many users is then no race for a counter. */
const NUMBERS_AT_ONCE = 256;

/** The administration of the people of an organization. */
export function peopleEndpoints({ reader, heavy, audit, sealer, config, log }: PeopleParts): Endpoint[] {
  const { engine } = reader;
  const { baseUrl, smtpUrl, allowPrivateUrls } = config;
  const admin = { ...adminParts(reader, audit), heavy };
  const mailer = new OrganizationMailer({
    engine,
    sealer,
    baseUrl,
    log,
    mailer: new Mailer(new OutboundGuard(allowPrivateUrls), smtpUrl),
  });
  const hasher = new PasswordHasher();
  const numbers = new Numbers(engine, NUMBERS_AT_ONCE);
  return [...userEndpoints({ ...admin, mailer, hasher, numbers, baseUrl, views: givenViews })];
}
