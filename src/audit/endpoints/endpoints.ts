import type { Endpoint } from '../../http/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import { exportEndpoints } from './export-endpoints.ts';
import { keepingEndpoints } from './keeping-endpoints.ts';
import { logEndpoints } from './log-endpoints.ts';
import type { AuditParts } from './parts.ts';

/** `/admin/audit-logs`, in both families. */
export function auditEndpoints(parts: AuditParts): Endpoint[] {
  return inBothFamilies((base, family) => [
    ...logEndpoints(parts, base, family),
    ...exportEndpoints(parts, base, family),
    ...keepingEndpoints(parts, base, family),
  ]);
}
