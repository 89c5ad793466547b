import type { Store } from '#engine';
import { type UserRecord, usersWith } from '../../../directory/records/index.ts';

/** Whom mail is sent to. */
const FOUND_MAX = 20;

type Administrator = Pick<UserRecord, 'email' | 'locale'>;

/** People with full administration who can act. To be called inside `Engine.read`. */
export function findAdministrators(store: Store): Administrator[] {
  const found: Administrator[] = [];
  for (const { document } of usersWith(store, ['settings.manage'])) {
    found.push(document);
    if (found.length === FOUND_MAX) break;
  }
  return found;
}
