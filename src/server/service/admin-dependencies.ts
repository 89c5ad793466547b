import type { AuditMaker } from '../../kernel/audit/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import type { ReaderDependencies } from '../threads/open-reader.ts';

/** What the administration endpoints of every feature work with. */
export function adminDependencies(
  { engine, clock, rights, actors }: ReaderDependencies,
  audit: AuditMaker,
): AdminDependencies {
  return { engine, clock, rights, actors, audit };
}
