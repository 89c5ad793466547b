import { z } from 'zod';
import { defineRecord } from '../../../kernel/records/index.ts';
import { refused, type Transaction } from '../../../kernel/transactions/index.ts';
import { WEBHOOKS_MAX, webhookRecords } from './webhook-record.ts';

const ROLL = 'webhooks';

/** Written with each creation, so that of two at once the second counts the first. */
export const webhookRollRecords = defineRecord({
  collection: 'webhook_roll',
  holds: 'when a webhook was last created: two creations at once do not pass the bound together',
  schema: z.strictObject({ createdAt: z.number() }),
});

/** @throws ProblemError 422 where there are as many as there can be */
export function requireRoom(transaction: Transaction): void {
  const { store, now } = transaction;
  transaction.rely(webhookRollRecords, webhookRollRecords.get(store, ROLL) ?? absent);
  if (webhookRecords.index(store).counted('#all', 'all') >= WEBHOOKS_MAX) {
    throw refused(`An organization can have ${WEBHOOKS_MAX} webhooks.`);
  }
  transaction.put(webhookRollRecords, ROLL, { createdAt: now });
}

/** At version 0: a transaction relies on there being none. */
const absent = { id: ROLL, version: 0, document: { createdAt: 0 } };
