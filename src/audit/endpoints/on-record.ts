import { type AuditEvent, audited, type RequestFacts } from '../../kernel/audit/index.ts';
import type { Caller } from '../../kernel/organizations/index.ts';
import type { SystemPermission } from '../../kernel/rights/index.ts';
import { type AdminDependencies, transact } from '../../kernel/transactions/index.ts';

/**
 * Puts on record that a caller begins something with the whole log. The entry is a command of its own, which rests on the
 * right and on the credential as every change does.
 * @throws ProblemError 401, 403 where one of them has ended meanwhile
 */
export function putOnRecord(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  right: SystemPermission,
  event: AuditEvent,
): Promise<void> {
  return transact(dependencies, caller, facts, (transaction) => {
    transaction.require(right);
    transaction.change(audited(dependencies.audit, caller, facts, event));
  });
}
