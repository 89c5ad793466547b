import { inParallel, post } from '../post.ts';
import { authorization, type ScimSite, scimBase } from './scim-site.ts';

export interface Operation {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly bulkId?: string;
  readonly data: object;
}

interface Result {
  readonly status: string;
  readonly location?: string;
  readonly response?: unknown;
}

const PER_REQUEST = 1_000;
/** One runs and one waits, so that the service never waits for the client. */
const AT_ONCE = 2;

const schemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulk: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
};

/** As a directory of employees sends them. */
export function newUser(number: number): Operation {
  const userName = `person.${number}@example.com`;
  return {
    method: 'POST',
    path: '/Users',
    bulkId: `user${number}`,
    data: {
      schemas: [schemas.user],
      externalId: `employee-${number}`,
      userName,
      name: { givenName: `Given${number % 997}`, familyName: `Family${number % 1009}` },
      displayName: `Given${number % 997} Family${number % 1009}`,
      emails: [{ value: userName, type: 'work', primary: true }],
      title: 'Engineer',
      active: true,
    },
  };
}

export function newGroup(number: number, members: readonly string[]): Operation {
  const data = {
    schemas: [schemas.group],
    displayName: `Team ${number}`,
    members: members.map((value) => ({ value })),
  };
  return { method: 'POST', path: '/Groups', bulkId: `group${number}`, data };
}

export function replaced(id: string, path: string, value: unknown): Operation {
  const data = { schemas: [schemas.patch], Operations: [{ op: 'replace', path, value }] };
  return { method: 'PATCH', path: `/Users/${id}`, data };
}

export interface Sent {
  /** Ids of the resources, in the order of the operations. */
  readonly ids: readonly string[];
  readonly seconds: number;
}

/** Sends operations in requests of a thousand. The bodies are made before the clock runs. Throws where one failed. */
export async function sendBulk(
  site: ScimSite,
  operations: readonly Operation[],
  perRequest = PER_REQUEST,
): Promise<Sent> {
  const requests: string[] = [];
  for (let from = 0; from < operations.length; from += perRequest) {
    requests.push(JSON.stringify({ schemas: [schemas.bulk], Operations: operations.slice(from, from + perRequest) }));
  }
  const results: (readonly Result[])[] = [];
  const startedAt = performance.now();
  await inParallel(requests.entries(), AT_ONCE, async ([place, body]) => {
    const reply = (await post(`${scimBase(site)}/Bulk`, authorization(site), body)) as { Operations: Result[] };
    results[place] = reply.Operations;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const all = results.flat();
  const failed = all.find(({ status }) => Number(status) >= 300);
  if (failed !== undefined) throw new Error(`an operation failed: ${JSON.stringify(failed)}`);
  return { ids: all.map(({ location = '' }) => location.slice(location.lastIndexOf('/') + 1)), seconds };
}
