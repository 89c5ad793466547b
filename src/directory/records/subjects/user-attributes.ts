import { isoTime } from '../../../platform/index.ts';
import type { UserRecord } from './users.ts';

/**
 * What policies see of a user: the members of `metadata`, and over them the fields of the record. Times are ISO 8601;
 * what is not known is left out.
 */
export function userAttributes(record: UserRecord): Record<string, unknown> {
  const { metadata, createdAt, updatedAt, lastLoginAt, ...fields } = record;
  return {
    ...metadata,
    ...fields,
    metadata,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    ...(lastLoginAt === undefined ? {} : { lastLoginAt: isoTime(lastLoginAt) }),
  };
}
