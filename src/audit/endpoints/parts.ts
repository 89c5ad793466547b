import type { Engine } from '#engine';
import type { HeavyRunner } from '../../heavy/index.ts';
import type { AuditMaker } from '../entries/audited.ts';

export interface AuditParts {
  readonly engine: Engine;
  readonly heavy: HeavyRunner;
  readonly audit: AuditMaker;
  /** The data folder: finished exports lie in it. */
  readonly dataDir: string;
}
