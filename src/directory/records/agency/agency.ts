import type { Store } from '#engine';
import type { Agency } from '../../../kernel/organizations/index.ts';
import { delegationRecords } from './delegation-record.ts';
import { taskRecords } from './task-record.ts';

/** Until when it lasts if nothing is committed; `undefined` where it has ended. To be called inside `Engine.read`. */
export function agencyUntil(store: Store, { kind, id }: Agency, now: number): number | undefined {
  const until = kind === 'delegation' ? delegationRecords.get(store, id)?.document.expiresAt : lentUntil(store, id);
  return until !== undefined && now < until ? until : undefined;
}

function lentUntil(store: Store, id: string): number | undefined {
  const task = taskRecords.get(store, id)?.document;
  return task?.ended === undefined ? task?.grant?.until : undefined;
}
