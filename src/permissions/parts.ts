import type { AdminParts, Numbers } from '../admin/index.ts';
import type { HeavyRunner } from '../heavy/index.ts';

export interface PermissionParts extends AdminParts {
  readonly heavy: HeavyRunner;
  readonly numbers: Numbers;
}
