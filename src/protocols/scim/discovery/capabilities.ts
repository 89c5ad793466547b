import { bulkLimits } from '../bulk/bulk-limits.ts';
import { COUNT_DEFAULT, COUNT_MAX } from '../lists/list-parameters.ts';

/** How lists come in pages (RFC 7644, 3.4.2.4; RFC 9865). */
const pageLimits = {
  /** Resources of a page where nothing is said. */
  defaultPageSize: COUNT_DEFAULT,
  /** Most resources of a page: a larger `count` is taken for this one. */
  maxPageSize: COUNT_MAX,
  /** Seconds for which a cursor is good at least. */
  cursorTimeout: 3600,
} as const;

/** What the service can do (RFC 7643, 5; RFC 9865, 4). */
export const capabilities = {
  patch: { supported: true },
  bulk: { supported: true, ...bulkLimits },
  filter: { supported: true, maxResults: pageLimits.maxPageSize },
  changePassword: { supported: true },
  sort: { supported: true },
  etag: { supported: true },
  pagination: { cursor: true, index: true, defaultPaginationMethod: 'index', ...pageLimits },
} as const;
