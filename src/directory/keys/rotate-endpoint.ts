import type { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import { factsOf } from '../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import type { Caller, FamilyBase } from '../../kernel/organizations/index.ts';
import { auditEventOf } from '../../kernel/resources/index.ts';
import {
  type AdminDependencies,
  requireRightsOf,
  type Transaction,
  transact,
} from '../../kernel/transactions/index.ts';
import { keyRecords, keySubject, mintKey } from '../records/index.ts';
import { apiKey } from './api-key.ts';
import { keyView, shownKeySchema } from './key-view.ts';

const endpoint = endpointFor<Caller>();

export function rotateEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/api-keys/{keyId}/rotate`,
    summary: 'Replace an API key',
    description: 'The old key fails at once. The answer is the only one that shows the new one.',
    tags: apiKey.tags,
    access: { permission: 'settings.manage' },
    responses: { 200: singleSchema(shownKeySchema) },
    errors: ['unavailable'],
    async handler(call) {
      const { keyId } = call.params;
      const rotated = await transact(dependencies, call.caller, factsOf(call), (each) => rotateKey(each, keyId));
      return json(200, singleAnswer(rotated, family));
    },
  });
}

/** A new secret; the old one fails at once. */
function rotateKey(transaction: Transaction, id: string): z.output<typeof shownKeySchema> {
  const { store, now } = transaction;
  transaction.require('settings.manage');
  const entry = transaction.existing(keyRecords, id);
  requireRightsOf(transaction, keySubject(id), 'key');
  const { key, document } = mintKey(id, { ...entry.document, rotatedAt: now });
  transaction.put(keyRecords, id, document);
  const next = { ...entry, document };
  transaction.audit(auditEventOf(apiKey, 'rotate', next));
  return { ...keyView(store, next), key };
}
