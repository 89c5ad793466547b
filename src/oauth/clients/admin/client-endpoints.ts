import { z } from 'zod';
import { factsOf } from '../../../audit/index.ts';
import { type HeavyRunner, heavyReply } from '../../../heavy/index.ts';
import { type Endpoint, endpointFor, json, noContent, problem, queryBoolean } from '../../../http/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  type Family,
  listParameters,
  listSchema,
  readList,
  singleAnswer,
  singleSchema,
} from '../../../lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase, inBothFamilies } from '../../../orgs/index.ts';
import { clientRecords } from '../records/client-record.ts';
import { changedClientBody, newClientBody } from './client-bodies.ts';
import { clientSorts } from './client-list.ts';
import { type ClientParts, createClient, deleteClient, rotateSecret, updateClient } from './client-service.ts';
import { clientSchema, clientView, clientWithSecretSchema } from './client-view.ts';

export interface ClientEndpointParts extends ClientParts {
  readonly heavy: HeavyRunner;
}

const endpoint = endpointFor<Caller>();
const tags = ['OAuth clients'];
const reading = { permission: 'clients.read' };
const writing = { permission: 'settings.manage' };

/** `/admin/clients`, in both families. */
export function clientEndpoints(parts: ClientEndpointParts): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(parts, base, family),
    createEndpoint(parts, base, family),
    getEndpoint(parts, base, family),
    changeEndpoint(parts, base, family, 'PUT'),
    changeEndpoint(parts, base, family, 'PATCH'),
    ...otherEndpoints(parts, base, family),
  ]);
}

function listEndpoint(parts: ClientEndpointParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/clients`,
    summary: 'List OAuth clients',
    description: 'Searched by id, name, address and redirect URIs.',
    tags,
    access: reading,
    query: z.strictObject({
      ...listParameters(bounds, clientSorts),
      isActive: queryBoolean.optional(),
      type: z.enum(['confidential', 'public']).optional(),
      registration: z.enum(['admin', 'dynamic']).optional(),
    }),
    responses: { 200: listSchema(clientSchema) },
    handler({ caller, query }) {
      const read = readList(query, bounds);
      const { isActive, type, registration } = query;
      const where = { isActive, type, registration };
      return heavyReply(parts.heavy, caller, { kind: 'clients', query: read, family, where });
    },
  });
}

function createEndpoint(parts: ClientEndpointParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/clients`,
    summary: 'Create an OAuth client',
    description:
      'Confidential, with a secret in `client_secret_basic`, where nothing else is said. The answer is the only one ' +
      'that shows the secret, which is accepted in the header and in the form alike.',
    tags,
    access: writing,
    body: newClientBody,
    responses: { 201: createdSchema(clientWithSecretSchema) },
    errors: ['unavailable'],
    async handler(call) {
      const client = await createClient(parts, call.caller, factsOf(call), call.body);
      return json(201, createdAnswer(client, family, 'The client was created.'));
    },
  });
}

function getEndpoint(parts: ClientEndpointParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/clients/{clientId}`,
    summary: 'One OAuth client',
    tags,
    access: reading,
    responses: { 200: singleSchema(clientSchema) },
    handler({ caller, params }) {
      return answerIfMay(parts.engine, caller, 'clients.read', () => {
        const { store } = caller.organization;
        const entry = clientRecords.get(store, params.clientId);
        return entry === undefined ? problem('not_found') : json(200, singleAnswer(clientView(store, entry), family));
      });
    },
  });
}

function changeEndpoint(
  parts: ClientEndpointParts,
  base: FamilyBase,
  family: Family,
  method: 'PUT' | 'PATCH',
): Endpoint {
  return endpoint({
    method,
    path: `${base}/admin/clients/{clientId}`,
    summary: 'Change an OAuth client',
    description:
      'What is not sent stays as it is, and null takes an address away. A client that is switched off loses its tokens ' +
      'at once.',
    tags,
    access: writing,
    body: changedClientBody,
    responses: { 200: singleSchema(clientSchema) },
    errors: ['unavailable'],
    async handler(call) {
      const client = await updateClient(parts, call.caller, factsOf(call), call.params.clientId, call.body);
      return json(200, singleAnswer(client, family));
    },
  });
}

function otherEndpoints(parts: ClientEndpointParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: `${base}/admin/clients/{clientId}/rotate-secret`,
      summary: 'Replace the secret of an OAuth client',
      description: 'The old one fails at once. The answer is the only one that shows the new one.',
      tags,
      access: writing,
      responses: { 200: singleSchema(clientWithSecretSchema) },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const client = await rotateSecret(parts, call.caller, factsOf(call), call.params.clientId);
        return json(200, singleAnswer(client, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/clients/{clientId}`,
      summary: 'Delete an OAuth client',
      description: 'With the same commit its tokens end, and every tuple that names it is deleted.',
      tags,
      access: writing,
      responses: { 204: { description: 'It is gone.' } },
      errors: ['unavailable'],
      async handler(call) {
        await deleteClient(parts, call.caller, factsOf(call), call.params.clientId);
        return noContent();
      },
    }),
  ];
}
