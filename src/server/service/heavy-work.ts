import { auditWork } from '../../audit/index.ts';
import { decisionWork } from '../../authz/index.ts';
import type { HeavyWork } from '../../heavy/index.ts';
import { RecordLists } from '../../lists/index.ts';
import { clientWork } from '../../oauth/index.ts';
import type { Background } from '../../platform/index.ts';
import { sessionWork } from '../../sessions/index.ts';
import { userWork } from '../../users/index.ts';
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
