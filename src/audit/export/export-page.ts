import type { AuditEntry } from '../../kernel/audit/index.ts';
import type { AuditTables } from '../query/audit-tables.ts';
import { entriesOf } from '../query/entry-page.ts';
import { entryAs } from '../query/entry-view.ts';
import type { AuditFilters } from '../query/filters.ts';
import { matchEntries } from '../query/matching.ts';

export interface ExportPage {
  /** Rows without what stands before the first and after the last. */
  readonly rows: readonly string[];
  /** The id of the first row; absent where there is none. */
  readonly newest?: string | undefined;
  /** Where the next page goes on; absent where this is the last. */
  readonly before?: string | undefined;
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
  return { rows, newest: ids[0], before: next };
}

export const exportFormatNames = ['csv', 'json'] as const;

export type ExportFormat = (typeof exportFormatNames)[number];

/** How a format is written: what stands before, between and after the entries. */
interface Format {
  readonly contentType: string;
  readonly head: string;
  readonly between: string;
  readonly foot: string;
  row(entry: AuditEntry): string;
}

const columns = [
  'id',
  'createdAt',
  'eventType',
  'action',
  'severity',
  'result',
  'actorId',
  'actorType',
  'actorEmail',
  'targetId',
  'targetType',
  'ipAddress',
  'userAgent',
] as const satisfies readonly (keyof AuditEntry)[];

export const exportFormats: Readonly<Record<ExportFormat, Format>> = {
  /** RFC 4180. */
  csv: {
    contentType: 'text/csv; charset=utf-8',
    head: `${[...columns, 'metadata'].join(',')}\r\n`,
    between: '',
    foot: '',
    row(entry) {
      const cells = [...columns.map((column) => entry[column] ?? ''), JSON.stringify(entry.metadata)];
      return `${cells.map(csvCell).join(',')}\r\n`;
    },
  },
  json: {
    contentType: 'application/json',
    head: '[\n',
    between: ',\n',
    foot: '\n]\n',
    row: (entry) => JSON.stringify(entryAs('tenant', entry)),
  },
};

/** Signs with which a spreadsheet begins a formula, also after white space, and in full width. */
const formula = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** Quoted wherever that could matter; a cell that would be a formula begins with an apostrophe. */
function csvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /^[\w.:-]*$/.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
}
