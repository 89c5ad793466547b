import type { RecordEntry, Store } from '#engine';
import { readSettings } from '../../../directory/settings/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { RecordKind } from '../../../kernel/records/index.ts';
import { existing, forbidden, requirePermission } from '../../../kernel/transactions/index.ts';
import { isId, namesVersion, versionOf } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import type { ScimRequest } from './scim-request.ts';

/** The record that a path names. To be called inside a snapshot. @throws ProblemError 404 */
export function existingRecord<Document>(
  store: Store,
  records: RecordKind<Document>,
  id: string,
): RecordEntry<Document> {
  return existing(isId(id) ? records.get(store, id) : undefined);
}

/** Decided in the snapshot that answers. @throws ProblemError 403 */
export function requireReadable(caller: Caller, type: ResourceType['name']): void {
  requirePermission(caller, type === 'User' ? 'users.read' : 'groups.read');
}

type Flag = 'createUsers' | 'updateUsers' | 'deactivateUsers' | 'deleteUsers' | 'syncGroups';

/** @throws ProblemError 403 where the organization's settings forbid it */
export function requireSetting(store: Store, flag: Flag, refusal: string): void {
  if (!readSettings(store).scim[flag]) throw forbidden(`${refusal} (settings of SCIM).`);
}

/** @throws ProblemError 412 where the request expects another version (RFC 7644, 3.14) */
export function requireVersion({ ifMatch }: ScimRequest, content: unknown): void {
  if (ifMatch === undefined || namesVersion(ifMatch, versionOf(content))) return;
  throw scimError('versionMismatch', 'The resource has been changed: its version is not the one of If-Match.');
}
