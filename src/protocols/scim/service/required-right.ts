import type { Caller } from '../../../kernel/organizations/index.ts';
import { requirePermission } from '../../../kernel/transactions/index.ts';
import type { ResourceType } from '../schema/resource-type.ts';

/** Decided in the snapshot that answers. @throws ProblemError 403 */
export function requireReadable(caller: Caller, type: ResourceType['name']): void {
  requirePermission(caller, type === 'User' ? 'users.read' : 'groups.read');
}
