import type { AdminParts } from '../../admin/index.ts';
import type { AuditMaker } from '../../audit/index.ts';
import type { ReaderParts } from '../threads/open-reader.ts';

/** What the administration endpoints of every feature work with. */
export function adminParts({ engine, clock, rights }: ReaderParts, audit: AuditMaker): AdminParts {
  return { engine, clock, rights, audit };
}
