import type { Engine } from '#engine';
import type { AuditMaker } from '../../kernel/audit/index.ts';
import type { HeavyRunner } from '../../kernel/queries/index.ts';

export interface AuditParts {
  readonly engine: Engine;
  readonly heavy: HeavyRunner;
  readonly audit: AuditMaker;
  /** The data folder: finished exports lie in it. */
  readonly dataDir: string;
}
