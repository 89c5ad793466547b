import type { Engine } from '#engine';
import type { AuditMaker } from '../../kernel/audit/index.ts';
import type { QueryPool } from '../../kernel/queries/index.ts';

export interface AuditDependencies {
  readonly engine: Engine;
  readonly queryPool: QueryPool;
  readonly audit: AuditMaker;
  /** The data folder: finished exports lie in it. */
  readonly dataDir: string;
}
