import type { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../../http/index.ts';
import { factsOf } from '../../../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../../kernel/lists/index.ts';
import type { Caller, FamilyBase } from '../../../../kernel/organizations/index.ts';
import { auditEventOf } from '../../../../kernel/resources/index.ts';
import { type AdminDependencies, type Transaction, transact } from '../../../../kernel/transactions/index.ts';
import { issuerRecords } from '../records/issuer-record.ts';
import { issuer, mintIssuerSecret } from './issuer.ts';
import { issuerView, issuerWithSecretSchema } from './issuer-view.ts';

const endpoint = endpointFor<Caller>();

export function rotateEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/signals/issuers/{issuerId}/rotate-secret`,
    summary: 'Make or replace the secret of an issuer of security events',
    description: 'The old one fails at once. The answer is the only one that shows the new one.',
    tags: issuer.tags,
    access: { permission: 'settings.manage' },
    responses: { 200: singleSchema(issuerWithSecretSchema) },
    errors: ['unavailable'],
    async handler(call) {
      const { issuerId } = call.params;
      const rotated = await transact(dependencies, call.caller, factsOf(call), (each) => rotateSecret(each, issuerId));
      return json(200, singleAnswer(rotated, family));
    },
  });
}

function rotateSecret(transaction: Transaction, id: string): z.output<typeof issuerWithSecretSchema> {
  const { store, now } = transaction;
  transaction.require('settings.manage');
  const entry = transaction.existing(issuerRecords, id);
  const { secret, digest } = mintIssuerSecret();
  const next = { ...entry, document: { ...entry.document, secretDigest: digest, updatedAt: now } };
  transaction.put(issuerRecords, id, next.document);
  transaction.audit(auditEventOf(issuer, 'rotate_secret', next));
  return { ...issuerView(store, next), secret };
}
