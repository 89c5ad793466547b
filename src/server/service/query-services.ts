import { RecordLists } from '../../kernel/lists/index.ts';
import { ofAll } from '../../kernel/modules/index.ts';
import type { QueryHandler } from '../../kernel/queries/index.ts';
import type { Background } from '../../platform/index.ts';
import type { ServiceModule } from '../modules.ts';
import type { ReaderDependencies } from '../threads/open-reader.ts';

/** What modules answer with in a thread of the query pool. */
export interface QueryServices extends ReaderDependencies {
  readonly lists: RecordLists;
}

/** Everything that the pool's threads answer. */
export function queriesOf(
  modules: readonly ServiceModule[],
  reader: ReaderDependencies,
  background: Background,
): QueryHandler[] {
  const services: QueryServices = { ...reader, lists: new RecordLists(reader.engine, background) };
  return ofAll(modules, ({ queries }) => queries?.(services));
}
