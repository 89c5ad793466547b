import { type Factor, type FactorEntry, factorRecords } from '../../../directory/users/index.ts';
import type { Plan } from '../../../kernel/transactions/index.ts';
import type { Proven, Whose } from '../dependencies.ts';
import { verified } from './audit-events.ts';

/**
 * Puts on record that a factor was used, and what it has become by that. It rests on the version of the user's factors: of many who use the same thing
 * at once, one does.
 */
export function planUse(
  { organization: { store }, userId }: Whose,
  entry: FactorEntry,
  used: Factor,
  amr: readonly string[],
  now: number,
): Plan<Proven> {
  const { document } = entry;
  const { id, type } = used;
  const factors = document.factors.map((each) => (each.id === id ? { ...used, lastUsedAt: now } : each));
  return {
    changes: [factorRecords.put(store, userId, { ...document, factors })],
    preconditions: [factorRecords.same(store, entry)],
    ...verified(store, userId, { type, factorId: id }),
    result: { ok: true, amr },
  };
}
