import type { Store } from '#engine';
import { usersWith } from '../../../directory/records/index.ts';

/** Whom mail is sent to. */
const FOUND_MAX = 20;

/** Addresses of people with full administration who can act. To be called inside `Engine.read`. */
export function findAdministrators(store: Store): string[] {
  const found: string[] = [];
  for (const { document } of usersWith(store, ['settings.manage'])) {
    found.push(document.email);
    if (found.length === FOUND_MAX) break;
  }
  return found;
}
