import type { AuditEntry } from '../../kernel/audit/index.ts';
import { entryAs } from '../query/entry-view.ts';

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
