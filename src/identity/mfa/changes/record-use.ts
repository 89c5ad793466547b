import { type Factor, type FactorEntry, factorRecords } from '../../../directory/users/index.ts';
import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import type { Proven } from '../dependencies.ts';
import { verified } from './audit-events.ts';

/**
 * Puts on record that a factor was used, and what it has become by that. It rests on the version of the user's factors: of many who use the same thing
 * at once, one does.
 */
export function recordUse(
  transaction: OrganizationTransaction,
  entry: FactorEntry,
  used: Factor,
  amr: readonly string[],
): Proven {
  const { id: userId, document } = transaction.rely(factorRecords, entry);
  const { id, type } = used;
  const factors = document.factors.map((each) => (each.id === id ? { ...used, lastUsedAt: transaction.now } : each));
  transaction.put(factorRecords, userId, { ...document, factors });
  transaction.add(verified(transaction.store, userId, { type, factorId: id }));
  return { ok: true, amr };
}
