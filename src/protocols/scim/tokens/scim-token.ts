import type { z } from 'zod';
import {
  mintScimToken,
  type ScimTokenRecord,
  scimTokenRecords,
  scimTokenSubject,
  scimTokenUseRecords,
} from '../../../directory/records/index.ts';
import { sortFields } from '../../../kernel/lists/index.ts';
import type { Resource } from '../../../kernel/resources/index.ts';
import { rightsEnded } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { expiryOf, newTokenBody, shownTokenSchema, tokenSchema, tokenView } from './token-bodies.ts';

/** Each read of the settings goes through all tokens. */
const TOKENS_MAX = 100;

/** Bearer tokens of SCIM. Several work at once, so that one can be replaced before it ends. */
export const scimToken: Resource<ScimTokenRecord, z.output<typeof newTokenBody>> = {
  records: scimTokenRecords,
  name: 'scim_token',
  path: 'settings/scim/tokens',
  parameter: 'tokenId',
  tags: ['SCIM tokens'],
  view: { schema: () => tokenSchema, of: tokenView },
  audited: ({ document: { name, expiresAt } }) => ({
    metadata: { name, expiresAt: isoTime(expiresAt) },
  }),
  list: {
    summary: 'List SCIM tokens',
    description: 'Includes expired tokens until they are revoked.',
    right: 'settings.manage',
    definition: {
      text: ({ name, tail }) => [name, tail],
      sorts: sortFields('name', 'createdAt', 'expiresAt'),
      filters: {},
    },
  },
  read: { summary: 'Read a SCIM token', right: 'settings.manage' },
  create: {
    summary: 'Create a SCIM token',
    description:
      'A bearer token for SCIM alone. It is shown only in this answer. Several tokens can be valid at the same time.',
    right: 'settings.manage',
    errors: ['refused'],
    body: () => newTokenBody,
    schema: shownTokenSchema,
    create(transaction, { name, expiresAt }) {
      const { caller, now } = transaction;
      const refusal = `There are ${TOKENS_MAX} SCIM tokens already: revoke one that is no longer used.`;
      transaction.requireFewer(scimTokenRecords, TOKENS_MAX, refusal);
      const { token, ...kept } = mintScimToken();
      const createdBy = caller.subject ?? 'platform';
      const document = { ...kept, name, createdAt: now, createdBy, expiresAt: expiryOf(expiresAt, now) };
      return { id: transaction.newId(), document, once: { token } };
    },
  },
  delete: {
    summary: 'Revoke a SCIM token',
    description: 'It fails with the next request.',
    right: 'settings.manage',
    delete(transaction, { id }) {
      transaction.delete(scimTokenUseRecords, id);
      transaction.change([rightsEnded(transaction.store, scimTokenSubject(id))]);
    },
  },
};
