import { auditWork } from '../../audit/index.ts';
import { decisionWork } from '../../authz/index.ts';
import type { HeavyWork } from '../../heavy/index.ts';
import type { ReaderParts } from '../threads/open-reader.ts';

/** Everything that the pool's threads answer, feature by feature. */
export function heavyWork(reader: ReaderParts): HeavyWork[] {
  return [...decisionWork(reader), ...auditWork()];
}
