import type { Transaction } from '../../../kernel/transactions/index.ts';
import type { StreamEntry } from './stream-record.ts';

/** The audit entry of a change. Its answers and addresses stay out. */
export function tellOfStream(
  transaction: Pick<Transaction, 'audit'>,
  verb: string,
  { id, document: { clientId, method, status } }: Pick<StreamEntry, 'id' | 'document'>,
  more: Readonly<Record<string, unknown>> = {},
): void {
  transaction.audit({
    eventType: 'admin.action',
    action: `signal_stream.${verb}`,
    targetType: 'signal_stream',
    targetId: id,
    metadata: { clientId, method, status, ...more },
  });
}
