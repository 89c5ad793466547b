import type { Engine } from '#engine';
import type { Assignments } from '../../kernel/assignments/index.ts';
import type { QueryPool } from '../../kernel/queries/index.ts';
import type { SystemModel } from '../../kernel/rights/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import type { Clock, Limits } from '../../platform/index.ts';
import type { CheckMeter } from './check-meter.ts';
import type { DefinedPermissions } from './checks/permission/defined-permissions.ts';
import type { ModelRelations } from './checks/permission/model-relations.ts';
import type { UnheldPermissions } from './checks/permission/unheld-permissions.ts';
import type { Freshness } from './context/consistency.ts';
import type { RevisionTokens } from './context/revision-tokens.ts';
import type { Watches } from './watch/watches.ts';

/** What deciding needs, in any thread. */
export interface DecisionDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly relations: ModelRelations;
  readonly defined: DefinedPermissions;
  readonly unheld: UnheldPermissions;
  readonly systemModel: SystemModel;
  readonly tokens: RevisionTokens;
}

/** What the endpoints need beside that. */
export interface AuthzDependencies extends DecisionDependencies, AdminDependencies {
  readonly assignments: Assignments;
  /** Runs what would hold up this thread's other requests. */
  readonly queryPool: QueryPool;
  readonly meter: CheckMeter;
  readonly watches: Watches;
  /** On a node of several. */
  readonly freshness?: Freshness | undefined;
}
