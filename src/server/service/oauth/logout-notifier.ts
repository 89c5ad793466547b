import type { AuditMaker } from '../../../kernel/audit/index.ts';
import { type Background, type Config, OutboundGuard, type Sealer } from '../../../platform/index.ts';
import { LogoutNotifier, SigningKeys } from '../../../protocols/oauth/index.ts';
import type { ReaderParts } from '../../threads/open-reader.ts';
import { adminParts } from '../admin-parts.ts';

interface NotifierBasis {
  readonly reader: ReaderParts;
  readonly audit: AuditMaker;
  readonly sealer: Sealer;
  readonly config: Config;
  readonly background: Background;
}

/** What tells clients of sessions that have ended: one in the whole process, with the outbound rules for tenants' URLs. */
export function createLogoutNotifier({ reader, audit, sealer, config, background }: NotifierBasis): LogoutNotifier {
  const { engine, clock, directory } = reader;
  const { baseUrl, allowPrivateUrls } = config;
  const keys = new SigningKeys({ ...adminParts(reader, audit), sealer });
  const outbound = new OutboundGuard(allowPrivateUrls);
  return new LogoutNotifier({ engine, clock, audit, directory, keys, outbound, baseUrl, background });
}
