import type { AuthzDependencies } from '../../access/decisions/index.ts';
import type { Probe } from '../../http/index.ts';
import type { Route } from '../../identity/federation/index.ts';
import type { Guesses } from '../../identity/limits/index.ts';
import type { FailureLog } from '../../kernel/audit/index.ts';
import type { RequireHeard } from '../../kernel/organizations/index.ts';
import type { TaskQueue } from '../../kernel/tasks/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import type { Background, Config, Log, Metrics, OutboundGuard, RequestClock, Sealer } from '../../platform/index.ts';
import type { ServiceModule } from '../modules.ts';
import type { ReaderDependencies } from '../threads/open-reader.ts';
import type { ServiceMemory } from '../threads/service-memory.ts';

/** What a thread's service is made from. */
export interface ServiceDependencies {
  readonly modules: readonly ServiceModule[];
  readonly reader: ReaderDependencies;
  /** The clock of `reader`, where requests are answered with it. */
  readonly clock?: RequestClock;
  readonly config: Config;
  readonly queryPool: AuthzDependencies['queryPool'];
  readonly tasks: TaskQueue;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly background: Background;
  readonly platformDigest: string;
  readonly sealer: Sealer;
  readonly memory: ServiceMemory;
  readonly ready: () => Probe;
  /** Where URLs of providers of sign-in are really asked: set in tests alone, which run providers of their own. */
  readonly route?: Route;
  /** The text of `/metrics`. */
  readonly metricsPage: () => string | Promise<string | undefined>;
}

/** The same, with what all services of the thread share. */
export interface ServiceBasis extends ServiceDependencies {
  /** What the administration endpoints of every feature work with. */
  readonly admin: AdminDependencies;
  /** Rules for the URLs of tenants. */
  readonly outbound: OutboundGuard;
  readonly failures: FailureLog;
  readonly guesses: Guesses;
  /** On a node of a cluster. */
  readonly requireHeard: RequireHeard | undefined;
}
