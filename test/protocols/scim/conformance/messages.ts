import { expect } from 'vitest';
import type { Answer } from '../../../server/running-service.ts';

/** What the RFCs call schemas, by what they describe (RFC 7643, 10; RFC 7644, 8.2). */
export const schemaOf = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulkRequest: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  bulkResponse: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

export type Body = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly op: string;
  readonly path?: string;
  readonly value?: unknown;
}

let made = 0;

/** A word that no other resource of this process has, in lower case. */
export function word(): string {
  return `n${process.pid.toString(36)}x${(++made).toString(36)}`;
}

/** A user to be created, with what the specification requires of one (SCIM 2.0, POST /Users). */
export function person(extra: Body = {}): Body & { readonly userName: string } {
  const name = word();
  return {
    schemas: [schemaOf.user],
    userName: `${name}@people.example`,
    name: { givenName: 'Ada', familyName: name },
    emails: [{ value: `${name}@mail.example`, type: 'work', primary: true }],
    ...extra,
  };
}

/** A user with what an employer knows of one (RFC 7643, 4.3). */
export function employee(enterprise: Body, extra: Body = {}): Body {
  return person({ schemas: [schemaOf.user, schemaOf.enterprise], [schemaOf.enterprise]: enterprise, ...extra });
}

export function team(extra: Body = {}): Body & { readonly displayName: string } {
  return { schemas: [schemaOf.group], displayName: `Team ${word()}`, ...extra };
}

export function patchOf(...operations: readonly Operation[]): Body {
  return { schemas: [schemaOf.patch], Operations: operations };
}

/** Where a document has null, or a text, a list or an object of nothing. */
export function emptyParts(document: unknown, path = ''): string[] {
  if (document === null || document === '') return [path];
  if (typeof document !== 'object') return [];
  const parts = Object.entries(document as object);
  return parts.length === 0 ? [path] : parts.flatMap(([name, part]) => emptyParts(part, `${path}.${name}`));
}

/** Requires an error of the protocol (RFC 7644, 3.12). @param scimType the only one that fits, or those that do */
export function expectError(answer: Answer, status: number, ...scimTypes: readonly string[]): void {
  expect(expectStatus(answer, status).body).toMatchObject({
    schemas: [schemaOf.error],
    status: String(status),
    detail: expect.stringMatching(/\S/),
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json\b/);
  if (scimTypes.length > 0) expect(scimTypes).toContain(answer.at('scimType'));
}

/** Requires a status, and shows the body where it is another. */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): Answer {
  if (!statuses.includes(answer.status)) {
    throw new Error(`${answer.status} in place of ${statuses.join(' or ')}: ${JSON.stringify(answer.body)}`);
  }
  return answer;
}
