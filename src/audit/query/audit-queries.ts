import { type Family, type PageQuery, pagedAnswer } from '../../kernel/lists/index.ts';
import { AnswerWithHeaders, type QueryHandler } from '../../kernel/queries/index.ts';
import { isoTime } from '../../platform/index.ts';
import { type ExportFormat, readExportPage } from '../export/export-page.ts';
import { AuditTables } from './audit-tables.ts';
import { type EntryQuery, readEntryPage } from './entry-page.ts';
import { entryAs } from './entry-view.ts';
import type { AuditFilters } from './filters.ts';
import { matchEntries } from './matching.ts';
import { readActions, readStats, type StatGroup } from './stats.ts';

/** What is asked of the log in the pool's threads. */
export type AuditTask =
  | { readonly kind: 'audit_list'; readonly query: EntryQuery; readonly page: PageQuery; readonly family: Family }
  | { readonly kind: 'audit_stats'; readonly groupBy: StatGroup; readonly times: Pick<AuditFilters, 'from' | 'to'> }
  | { readonly kind: 'audit_actions' }
  /** Are there more than `max`? More than -1 there are always. */
  | { readonly kind: 'audit_exceeds'; readonly filters: AuditFilters; readonly max: number }
  | {
      readonly kind: 'audit_export';
      readonly filters: AuditFilters;
      readonly format: ExportFormat;
      readonly before: string | undefined;
    };

type WorkOf<Kind extends AuditTask['kind']> = QueryHandler<Extract<AuditTask, { kind: Kind }>>['answer'];

export function auditQueries(): QueryHandler[] {
  const answers: { readonly [Kind in AuditTask['kind']]: WorkOf<Kind> } = {
    audit_list({ organization }, { query, page, family }) {
      const { entries, total, searchedTo } = readEntryPage(new AuditTables(organization.store), query);
      const views = entries.map((entry) => entryAs(family, entry));
      const answer = pagedAnswer(views, { total }, page, family);
      return searchedTo === undefined ? answer : new AnswerWithHeaders(answer, { 'searched-to': isoTime(searchedTo) });
    },
    audit_stats: ({ organization }, { groupBy, times }) =>
      readStats(new AuditTables(organization.store), groupBy, times),
    audit_actions: ({ organization }) => readActions(new AuditTables(organization.store)),
    audit_exceeds({ organization }, { filters, max }) {
      if (max < 0) return true;
      const wanted = { skip: max, take: 1, descending: true, counted: false };
      const { ids, reached } = matchEntries(new AuditTables(organization.store), filters, wanted);
      return ids.length > 0 || reached !== undefined;
    },
    audit_export: ({ organization }, { filters, format, before }) =>
      readExportPage(new AuditTables(organization.store), filters, format, before),
  };
  return Object.entries(answers).map(([kind, answer]) => ({ kind, permission: 'audit.read', answer }) as QueryHandler);
}
