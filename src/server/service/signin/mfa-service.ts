import { OrganizationSms } from '../../../directory/settings/index.ts';
import type { UserDependencies } from '../../../directory/users/index.ts';
import { Mfa } from '../../../identity/mfa/index.ts';
import type { FailureLog } from '../../../kernel/audit/index.ts';
import {
  type Config,
  type Log,
  OutboundGuard,
  type Sealer,
  SmsGateway,
  smsProviderOf,
} from '../../../platform/index.ts';
import type { SessionServices } from '../session-dependencies.ts';

interface MfaBasis {
  readonly people: UserDependencies;
  readonly config: Config;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly signedIn: SessionServices;
  readonly failures: FailureLog;
}

/** Second factors and passkeys, with whoever delivers codes. */
export function mfaService({ people, config, sealer, log, signedIn, failures }: MfaBasis): Mfa {
  const { engine } = people;
  const gateway = new SmsGateway(new OutboundGuard(config.allowPrivateUrls), smsProviderOf(config));
  const sms = new OrganizationSms({ engine, gateway, sealer, log });
  return new Mfa({ ...people, sealer, log, sms, lockout: signedIn.lockout, failures });
}
