import type { QueryPool } from '../../kernel/queries/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';

/** What the endpoints of the audit log work with. */
export interface AuditDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
  /** The data folder: finished exports lie in it. */
  readonly dataDir: string;
}
