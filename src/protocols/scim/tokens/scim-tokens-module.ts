import {
  mintScimToken,
  scimTokenRecords,
  scimTokenSubject,
  scimTokenUseRecords,
} from '../../../directory/records/index.ts';
import { type Endpoint, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { ofResource } from '../../../kernel/modules/index.ts';
import { endpoint, type FamilyBase } from '../../../kernel/organizations/index.ts';
import { auditEventOf } from '../../../kernel/resources/index.ts';
import {
  type AdminDependencies,
  afterCommit,
  rightsEnded,
  type Transaction,
  transact,
} from '../../../kernel/transactions/index.ts';
import { expiryOf, rotationBody, type ShownToken, scimToken, shownTokenSchema, tokenView } from './scim-token.ts';

/** `/admin/settings/scim/tokens`. */
export const scimTokensModule = {
  name: 'scim_tokens',
  records: [scimToken.records, scimTokenUseRecords],
  ...ofResource(scimToken, (services, base, family) => [rotateEndpoint(services, base, family)]),
};

function rotateEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/settings/scim/tokens/{tokenId}/rotate`,
    summary: 'Replace a SCIM token',
    description: 'The old token fails with the next request. The new one is shown only in this answer.',
    tags: scimToken.tags,
    access: { permission: 'settings.manage' },
    body: rotationBody,
    bodyOptional: true,
    responses: { 200: singleSchema(shownTokenSchema) },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, params, body } = call;
      const { tokenId } = params;
      const token = await transact(dependencies, caller, factsOf(call), (transaction) =>
        rotate(transaction, tokenId, body?.expiresAt),
      );
      const { store } = caller.organization;
      const shown = afterCommit(dependencies, scimTokenRecords, store, tokenId, (entry) => tokenView(store, entry));
      const rotated: ShownToken = { ...shown, token };
      return json(200, singleAnswer(rotated, family));
    },
  });
}

/** @returns the new token */
function rotate(transaction: Transaction, id: string, expiresAt: string | undefined): string {
  const { store, now } = transaction;
  transaction.require('settings.manage');
  const entry = transaction.existing(scimTokenRecords, id);
  const { token, ...kept } = mintScimToken();
  const next = {
    ...entry,
    document: { ...entry.document, ...kept, rotatedAt: now, expiresAt: expiryOf(expiresAt, now) },
  };
  transaction.put(scimTokenRecords, id, next.document);
  transaction.change([rightsEnded(store, scimTokenSubject(id))]);
  transaction.audit(auditEventOf(scimToken, 'rotate', next));
  return token;
}
