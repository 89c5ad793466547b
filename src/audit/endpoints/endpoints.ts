import type { Endpoint } from '../../http/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import type { AuditDependencies } from './dependencies.ts';
import { exportEndpoints } from './export-endpoints.ts';
import { keepingEndpoints } from './keeping-endpoints.ts';
import { logEndpoints } from './log-endpoints.ts';

/** `/admin/audit-logs`, in both families. */
export function auditEndpoints(dependencies: AuditDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    ...logEndpoints(dependencies, base, family),
    ...exportEndpoints(dependencies, base, family),
    ...keepingEndpoints(dependencies, base, family),
  ]);
}
