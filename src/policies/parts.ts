import type { AdminParts } from '../admin/index.ts';
import type { HeavyRunner } from '../heavy/index.ts';

export interface PolicyParts extends AdminParts {
  readonly heavy: HeavyRunner;
}
