import { z } from 'zod';
import { invalid } from '../../../kernel/transactions/index.ts';
import type { BulkMethod } from '../bulk/bulk-operation.ts';

const PATH_MAX = 8192;

/** A SCIM request, as the body of a dry run describes it. */
export const askedBody = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().max(PATH_MAX).describe('Below the base, or whole: `/Users`, `/Groups/{id}?attributes=displayName`'),
  body: z.unknown().describe('As the client would send it').optional(),
  ifMatch: z.string().max(200).describe('The header `If-Match`').optional(),
});

/** The operation that it asks for. */
export interface AskedOperation {
  readonly method: z.output<typeof askedBody>['method'];
  readonly type: 'User' | 'Group';
  readonly id: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface AskedChange extends AskedOperation {
  readonly method: BulkMethod;
}

/** A bulk request says by itself what it asks for. */
export type Asked = AskedOperation | { readonly type: 'Bulk' };

const bulkPath = /^(?:https?:\/\/[^/?#]+)?(?:\/(?:t\/[^/?#]+\/scim\/v2|orgs\/[^/?#]+\/scim2\.0))?\/Bulk\/?$/;
const resourcePath =
  /^(?:https?:\/\/[^/?#]+)?(?:\/(?:t\/[^/?#]+\/scim\/v2|orgs\/[^/?#]+\/scim2\.0))?\/(Users|Groups)(?:\/([^/?#]+))?\/?(?:\?([^#]*))?$/;

/** @throws ProblemError 400 if it is not a request for users or groups, nor a bulk request */
export function readAsked({ method, path }: z.output<typeof askedBody>): Asked {
  if (method === 'POST' && bulkPath.test(path)) return { type: 'Bulk' };
  const [, resources, segment, search = ''] = resourcePath.exec(path) ?? [];
  if (resources === undefined)
    throw invalid('path', 'must be /Users or /Groups, with or without an id, or POST of /Bulk');
  const id = segment === undefined ? undefined : decoded(segment);
  if (method !== 'GET' && (method === 'POST') !== (id === undefined)) {
    throw invalid('path', method === 'POST' ? 'must have no id' : 'must have an id');
  }
  const type = resources === 'Users' ? 'User' : 'Group';
  return { method, type, id, parameters: Object.fromEntries(new URLSearchParams(search)) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('path', 'cannot be decoded');
  }
}
