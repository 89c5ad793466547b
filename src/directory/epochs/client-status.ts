import type { Change, Store } from '#engine';
import { endTokensOfClient } from './epochs.ts';

/** A program that gets tokens: its `client_id`, and what the engine knows it by. */
export interface Program {
  readonly clientId: string;
  readonly subject: string;
}

/** Whoever is off may do nothing, from this commit on: neither with the tokens that it has nor in any decision. */
export function statusChanges(
  store: Pick<Store, 'name'>,
  { clientId, subject }: Program,
  wasActive: boolean,
  isActive: boolean,
): Change[] {
  if (wasActive === isActive) return [];
  if (isActive) return [{ op: 'restore_subject', store: store.name, subject }];
  return [{ op: 'suspend_subject', store: store.name, subject }, ...endTokensOfClient(store, clientId)];
}
