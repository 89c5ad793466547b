import { namesVersion, versionOf } from '../documents/resource-meta.ts';
import { scimError } from '../errors/scim-problems.ts';
import type { ScimRequest } from './scim-request.ts';

/** @throws ProblemError 412 where the request expects another version (RFC 7644, 3.14) */
export function requireVersion({ ifMatch }: ScimRequest, content: unknown): void {
  if (ifMatch === undefined || namesVersion(ifMatch, versionOf(content))) return;
  throw scimError('versionMismatch', 'The resource has been changed: its version is not the one of If-Match.');
}
