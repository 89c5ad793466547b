import { type Endpoint, endpointFor, json } from '../../../../http/index.ts';
import { factsOf } from '../../../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../../kernel/lists/index.ts';
import type { Caller, FamilyBase } from '../../../../kernel/organizations/index.ts';
import { refused, type Transaction, transact } from '../../../../kernel/transactions/index.ts';
import { clientAuditEvent } from '../records/client-changes.ts';
import { clientRecords, hasSecret } from '../records/client-record.ts';
import { mintSecret } from '../records/mint-secret.ts';
import { type ClientDependencies, client } from './client.ts';
import { type ClientWithSecret, clientView, clientWithSecretSchema } from './client-view.ts';

const endpoint = endpointFor<Caller>();

export function rotateEndpoint(dependencies: ClientDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/clients/{clientId}/rotate-secret`,
    summary: 'Replace the secret of an OAuth client',
    description: 'The old one fails at once. The answer is the only one that shows the new one.',
    tags: client.tags,
    access: { permission: 'settings.manage' },
    responses: { 200: singleSchema(clientWithSecretSchema) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { clientId } = call.params;
      const rotated = await transact(dependencies, call.caller, factsOf(call), (each) => rotateSecret(each, clientId));
      return json(200, singleAnswer(rotated, family));
    },
  });
}

/** A new secret; the old one fails at once. */
function rotateSecret(transaction: Transaction, id: string): ClientWithSecret {
  const { store, now } = transaction;
  transaction.require('settings.manage');
  const entry = transaction.existing(clientRecords, id);
  if (!hasSecret(entry.document)) throw refused('This client authenticates without a secret.');
  const { secret, digest } = mintSecret();
  const document = { ...entry.document, secretDigest: digest, secretRotatedAt: now, updatedAt: now };
  transaction.put(clientRecords, id, document);
  const next = { ...entry, document };
  transaction.audit(clientAuditEvent('rotate_secret', next));
  return { ...clientView(store, next), clientSecret: secret };
}
