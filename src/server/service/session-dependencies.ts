import type { ServiceCaller } from '../../access/guard/index.ts';
import type { Throttle } from '../../http/index.ts';
import { Attacks, createThrottle, Lockout } from '../../identity/limits/index.ts';
import { Sessions, Tokens } from '../../identity/sessions/index.ts';
import type { AuditMaker } from '../../kernel/audit/index.ts';
import type { RequireHeard } from '../../kernel/organizations/index.ts';
import { type Config, openPlaces } from '../../platform/index.ts';
import type { ReaderDependencies } from '../threads/open-reader.ts';
import type { ServiceMemory } from '../threads/service-memory.ts';
import { adminDependencies } from './admin-dependencies.ts';

/** What starts, uses and ends sessions and tokens in one thread. */
export interface SessionServices {
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly lockout: Lockout;
  readonly attacks: Attacks;
  /** Writes down when they were last used. To be called every few seconds. */
  flush(): Promise<void>;
}

export function sessionServices(
  reader: ReaderDependencies,
  audit: AuditMaker,
  memory: ServiceMemory,
  requireHeard: RequireHeard | undefined,
): SessionServices {
  const admin = adminDependencies(reader, audit);
  const sessions = new Sessions({ ...admin, locate: openPlaces(memory.places), requireHeard });
  const tokens = new Tokens(admin);
  return {
    sessions,
    tokens,
    lockout: new Lockout(admin),
    attacks: new Attacks(admin, memory.attacks),
    async flush() {
      await sessions.flush();
      await tokens.flush();
    },
  };
}

/** Requests are counted by the subject of their credential, in its organization. */
export function serviceThrottle(
  { clock }: ReaderDependencies,
  { limits }: Config,
  { rates }: ServiceMemory,
): Throttle<ServiceCaller> {
  return createThrottle({
    memory: rates,
    limits,
    clock,
    nameOf: (caller) =>
      'kind' in caller ? '' : `${caller.organization.slug}\n${caller.actor ?? caller.subject ?? ''}`,
  });
}
