import type { AuditMaker } from '../../kernel/audit/index.ts';
import type { AdminParts } from '../../kernel/transactions/index.ts';
import type { ReaderParts } from '../threads/open-reader.ts';

/** What the administration endpoints of every feature work with. */
export function adminParts({ engine, clock, rights, actors }: ReaderParts, audit: AuditMaker): AdminParts {
  return { engine, clock, rights, actors, audit };
}
