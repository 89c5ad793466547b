import { type ApiCalls, infoEndpoints } from '../../access/usage/index.ts';
import { profileEndpoints, settingsEndpoints } from '../../directory/settings/index.ts';
import type { Endpoint } from '../../http/index.ts';
import { socialEndpoints } from '../../identity/providers/index.ts';
import type { AuditMaker } from '../../kernel/audit/index.ts';
import { Numbers } from '../../kernel/transactions/index.ts';
import { type Config, OutboundGuard, type Sealer } from '../../platform/index.ts';
import type { ReaderParts } from '../threads/open-reader.ts';
import { adminParts } from './admin-parts.ts';

export interface ConfigurationParts {
  readonly reader: ReaderParts;
  readonly audit: AuditMaker;
  readonly sealer: Sealer;
  readonly config: Config;
  readonly apiCalls: ApiCalls;
}

/** What an organization decides about itself: settings, profile, providers of sign-in; and what it uses. */
export function configurationEndpoints({ reader, audit, sealer, config, apiCalls }: ConfigurationParts): Endpoint[] {
  const outbound = new OutboundGuard(config.allowPrivateUrls);
  const parts = { ...adminParts(reader, audit), sealer, outbound, baseUrl: config.baseUrl };
  const numbers = new Numbers(reader.engine);
  return [
    ...settingsEndpoints(parts),
    ...profileEndpoints(parts),
    ...socialEndpoints({ ...parts, numbers }),
    ...infoEndpoints({ ...parts, apiCalls }),
  ];
}
