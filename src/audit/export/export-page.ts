import type { AuditTables } from '../query/audit-tables.ts';
import { entriesOf } from '../query/entry-page.ts';
import type { AuditFilters } from '../query/filters.ts';
import { matchEntries } from '../query/matching.ts';
import { type ExportFormat, exportFormats } from './formats.ts';

export interface ExportPage {
  /** Rows without what stands before the first and after the last. */
  readonly rows: readonly string[];
  /** The id of the first row; absent where there is none. */
  readonly newest?: string;
  /** Where the next page goes on; absent where this is the last. */
  readonly before?: string;
}

const PAGE = 500;

/** Some rows of an export, newest first: entries written meanwhile are not in it. To be called inside a snapshot. */
export function readExportPage(
  tables: AuditTables,
  filters: AuditFilters,
  format: ExportFormat,
  before: string | undefined,
): ExportPage {
  const wanted = { skip: 0, take: PAGE, descending: true, counted: false };
  const { ids, reached } = matchEntries(tables, { ...filters, before }, wanted);
  const last = ids.length === PAGE ? ids.at(-1) : undefined;
  // `reached` itself was not looked at yet
  const next = last ?? (reached === undefined ? undefined : `${reached}!`);
  const rows = entriesOf(tables, ids).map((entry) => exportFormats[format].row(entry));
  const [newest] = ids;
  return { rows, ...(newest === undefined ? {} : { newest }), ...(next === undefined ? {} : { before: next }) };
}
