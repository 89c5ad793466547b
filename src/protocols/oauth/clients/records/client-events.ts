import { z } from 'zod';
import { type DomainEvent, defineEvent, resourceNames } from '../../../../kernel/events/index.ts';
import type { RegisteredClient } from './client-record.ts';

const client = z.strictObject({
  id: z.string(),
  clientId: z.string(),
  name: z.string(),
  type: z.string(),
  /** `admin` or `dynamic`. */
  registration: z.string(),
  grantTypes: z.array(z.string()).readonly(),
});

const formInC = z.strictObject({
  client_id: z.string(),
  name: z.string(),
  type: z.string(),
  registration: z.string(),
  grant_types: z.array(z.string()).readonly(),
});

const example = {
  id: '01920000-0000-7000-8000-00000000000f',
  clientId: '01920000-0000-7000-8000-00000000000f',
  name: 'Reading room',
  type: 'confidential',
  registration: 'admin',
  grantTypes: ['authorization_code'],
};

function inC({ clientId, name, type, registration, grantTypes }: z.output<typeof client>) {
  return { client_id: clientId, name, type, registration, grant_types: grantTypes };
}

export const clientCreated = defineEvent({
  type: 'client.created',
  data: z.strictObject({ client }),
  example: { client: example },
  about: ({ client: { clientId } }) => resourceNames({ client: clientId }),
  becomes: {
    a: { name: 'client.created' },
    c: { name: 'app.created', schema: formInC, data: (data) => inC(data.client) },
  },
});

/** By an administrator; by itself; as one of too many that were never used. */
const deletionReason = z.enum(['deleted', 'withdrawn', 'never_used']);

export const clientDeleted = defineEvent({
  type: 'client.deleted',
  data: z.strictObject({
    client,
    reason: deletionReason,
  }),
  example: { client: example, reason: 'deleted' },
  about: ({ client: { clientId } }) => resourceNames({ client: clientId }),
  becomes: {
    a: { name: 'client.deleted' },
    c: {
      name: 'app.deleted',
      schema: formInC.extend({ reason: deletionReason }),
      data: (data) => ({ ...inC(data.client), reason: data.reason }),
    },
  },
});

export function createdClient(entry: RegisteredClient): DomainEvent {
  return clientCreated.of({ client: about(entry) });
}

export function deletedClient(
  entry: RegisteredClient,
  reason: z.output<(typeof clientDeleted)['data']>['reason'],
): DomainEvent {
  return clientDeleted.of({ client: about(entry), reason });
}

function about({ id, document: { name, type, kind: registration, grantTypes } }: RegisteredClient) {
  return { id, clientId: id, name, type, registration, grantTypes };
}
