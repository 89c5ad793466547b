import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { changeRights } from '../../../../directory/assignments/index.ts';
import { statusChanges } from '../../../../directory/epochs/index.ts';
import { queryBoolean } from '../../../../http/index.ts';
import { filterFields, sortFields } from '../../../../kernel/lists/index.ts';
import type { Resource } from '../../../../kernel/resources/index.ts';
import { invalid, refused } from '../../../../kernel/transactions/index.ts';
import type { OutboundGuard } from '../../../../platform/index.ts';
import { clientTelling, leavingOf, withoutIdleSecret } from '../records/client-changes.ts';
import {
  type ClientMetadata,
  type ClientRecord,
  clientRecords,
  clientSubject,
  hasSecret,
  registrationKinds,
  stateOf,
} from '../records/client-record.ts';
import { clientRights, documentRefusal } from '../records/client-rights.ts';
import { type ClientDependencies, type MetadataFault, metadataFault } from '../records/metadata-rules.ts';
import { mintSecret } from '../records/mint-secret.ts';
import {
  type ClientChanges,
  changedClientBody,
  changedMetadata,
  type NewClient,
  newClientBody,
  newMetadata,
} from './client-bodies.ts';
import { clientSchema, clientView, clientWithSecretSchema } from './client-view.ts';

/** OAuth clients. What one may do where it acts for itself are tuples. */
export const client: Resource<ClientRecord, NewClient, ClientChanges, ClientDependencies> = {
  ...clientTelling,
  records: clientRecords,
  path: 'clients',
  parameter: 'clientId',
  tags: ['OAuth clients'],
  view: { schema: () => clientSchema, of: clientView },
  list: {
    summary: 'List OAuth clients',
    description: 'Searched by id, name, address and redirect URIs.',
    right: 'clients.read',
    definition: {
      text: ({ name, redirectUris, clientUri }, id) => [id, name, clientUri, ...redirectUris],
      sorts: sortFields('name', 'createdAt', 'updatedAt', 'lastUsedAt'),
      filters: {
        ...filterFields('isActive', 'type'),
        registration: ({ kind }) => kind,
      },
    },
    filters: {
      isActive: queryBoolean.optional(),
      type: z.enum(['confidential', 'public']).optional(),
      registration: z.enum(registrationKinds).optional(),
    },
  },
  read: { summary: 'Get an OAuth client', right: 'clients.read' },
  create: {
    summary: 'Create an OAuth client',
    description:
      'Confidential, with a secret in `client_secret_basic`, where nothing else is said. The answer is the only one ' +
      'that shows the secret, which is accepted in the header and in the form alike.',
    right: 'settings.manage',
    body: () => newClientBody,
    schema: clientWithSecretSchema,
    create(transaction, body) {
      const { dependencies, store, now } = transaction;
      const id = transaction.newId();
      const metadata = newMetadata(body);
      requireSound(metadata, dependencies.outbound);
      const minted = hasSecret(metadata) ? mintSecret() : undefined;
      const { isActive = true } = body;
      transaction.change(statusChanges(store, { clientId: id, subject: clientSubject(id) }, true, isActive));
      const document: ClientRecord = {
        ...metadata,
        kind: 'admin',
        isActive,
        ...(minted === undefined ? {} : { secretDigest: minted.digest }),
        createdAt: now,
        updatedAt: now,
      };
      const { after } = changeRights(transaction, clientRights, { id, version: 0, document }, body);
      const once = { clientSecret: minted?.secret ?? null };
      return { id, document, beside: { after: { grantTypes: metadata.grantTypes, ...after } }, once };
    },
  },
  change: {
    summary: 'Change an OAuth client',
    description:
      'What is not sent stays as it is, and null takes an address away. A client that is switched off loses its tokens ' +
      'at once. Of one that is a document, only `isActive` changes.',
    right: 'settings.manage',
    errors: ['refused'],
    forms: () => [
      { method: 'PUT', body: changedClientBody },
      { method: 'PATCH', body: changedClientBody },
    ],
    change(transaction, entry, body) {
      const { dependencies, store } = transaction;
      const { id, document } = entry;
      const metadata = changedMetadata(document, body);
      requireOwn(document, metadata, body);
      requireSound(metadata, dependencies.outbound);
      const subject = clientSubject(id);
      const { differences } = changeRights(transaction, clientRights, entry, body);
      const { isActive = document.isActive } = body;
      transaction.change(statusChanges(store, { clientId: id, subject }, document.isActive, isActive));
      return { document: withoutIdleSecret({ ...stateOf(document), ...metadata, isActive }), differences };
    },
  },
  rotate: {
    path: 'rotate-secret',
    summary: 'Replace the secret of an OAuth client',
    description: 'The old one fails at once. The answer is the only one that shows the new one.',
    right: 'settings.manage',
    errors: ['refused'],
    rotate({ now }, { document }) {
      if (!hasSecret(document)) throw refused('This client authenticates without a secret.');
      const { secret, digest } = mintSecret();
      return {
        document: { ...document, secretDigest: digest, secretRotatedAt: now, updatedAt: now },
        once: { clientSecret: secret },
      };
    },
  },
  delete: {
    summary: 'Delete an OAuth client',
    description: 'With the same commit its tokens end, and every tuple that names it is deleted.',
    right: 'settings.manage',
    delete: (transaction, { id }) => transaction.change(leavingOf(transaction.store, id)),
  },
};

/** @throws ProblemError 422 where anything but the status is to change of a client that is a document */
function requireOwn(document: ClientRecord, changed: ClientMetadata, { roles = [], permissions = [] }: ClientChanges) {
  const refusal = documentRefusal(document);
  if (refusal === undefined) return;
  const isSame = isDeepStrictEqual(changed, changedMetadata(document, {}));
  if (isSame && roles.length === 0 && permissions.length === 0) return;
  throw refused(refusal);
}

/** @throws ProblemError 400 naming the field as bodies do */
function requireSound(metadata: ClientMetadata, outbound: OutboundGuard): void {
  const fault = metadataFault(metadata, outbound);
  if (fault !== undefined) throw invalid(pathOf(fault), fault.message);
}

function pathOf({ field, index }: MetadataFault): string {
  const name = field === 'authMethod' ? 'tokenEndpointAuthMethod' : field;
  return index === undefined ? name : `${name}[${index}]`;
}
