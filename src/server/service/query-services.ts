import { RecordLists } from '../../kernel/lists/index.ts';
import { ofAll } from '../../kernel/modules/index.ts';
import type { HeavyWork } from '../../kernel/queries/index.ts';
import type { Background } from '../../platform/index.ts';
import type { ServiceModule } from '../modules.ts';
import type { ReaderParts } from '../threads/open-reader.ts';

/** What modules answer with in a thread of the query pool. */
export interface QueryServices extends ReaderParts {
  readonly lists: RecordLists;
}

/** Everything that the pool's threads answer. */
export function queriesOf(modules: readonly ServiceModule[], reader: ReaderParts, background: Background): HeavyWork[] {
  const services: QueryServices = { ...reader, lists: new RecordLists(reader.engine, background) };
  return ofAll(modules, ({ queries }) => queries?.(services));
}
