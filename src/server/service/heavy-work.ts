import { decisionWork } from '../../access/decisions/index.ts';
import { auditWork } from '../../audit/index.ts';
import { userWork } from '../../directory/users/index.ts';
import { sessionWork } from '../../identity/sessions/index.ts';
import { RecordLists } from '../../kernel/lists/index.ts';
import type { HeavyWork } from '../../kernel/queries/index.ts';
import type { Background } from '../../platform/index.ts';
import { clientWork } from '../../protocols/oauth/index.ts';
import type { ReaderParts } from '../threads/open-reader.ts';
import { accessWork } from './access-endpoints.ts';

/** Everything that the pool's threads answer, feature by feature. */
export function heavyWork(reader: ReaderParts, background: Background): HeavyWork[] {
  const lists = new RecordLists(reader.engine, background);
  return [
    ...decisionWork(reader),
    ...auditWork(),
    ...sessionWork(reader.clock),
    ...userWork(reader.engine, lists),
    ...accessWork(reader.engine, lists),
    clientWork(lists),
  ];
}
