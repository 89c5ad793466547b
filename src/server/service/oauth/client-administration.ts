import type { Endpoint } from '../../../http/index.ts';
import type { Guesses } from '../../../identity/limits/index.ts';
import type { AuditMaker } from '../../../kernel/audit/index.ts';
import type { HeavyRunner } from '../../../kernel/queries/index.ts';
import { Numbers } from '../../../kernel/transactions/index.ts';
import { type Config, OutboundGuard } from '../../../platform/index.ts';
import { applicationEndpoints, clientEndpoints, registrationEndpoints } from '../../../protocols/oauth/index.ts';
import type { ReaderParts } from '../../threads/open-reader.ts';
import { adminParts } from '../admin-parts.ts';

export interface ClientAdministrationParts {
  readonly reader: ReaderParts;
  readonly heavy: HeavyRunner;
  readonly audit: AuditMaker;
  readonly config: Config;
  readonly guesses: Guesses;
}

/** OAuth clients: what administrators do with them, what clients do that register themselves, and whom users let in. */
export function clientAdministration({ reader, heavy, audit, config, guesses }: ClientAdministrationParts): Endpoint[] {
  const outbound = new OutboundGuard(config.allowPrivateUrls);
  const parts = { ...adminParts(reader, audit), outbound };
  const { directory } = reader;
  const { baseUrl } = config;
  return [
    ...clientEndpoints({ ...parts, heavy, numbers: new Numbers(reader.engine) }),
    ...registrationEndpoints({ ...parts, guesses, directory, baseUrl }),
    ...applicationEndpoints(parts),
  ];
}
