import { z } from 'zod';
import type { Change, Precondition, Store } from '#engine';
import { defineRecord } from '../../kernel/records/index.ts';

/**
 * One small record for everything whose sessions or tokens were ever ended at once (`EpochOf`). Its version is the epoch:
 * it grows with each write, whoever writes, so that ending needs no reading and no clock. What began in an earlier epoch
 * has ended. A record that is absent is epoch 0.
 */
export const epochRecords = defineRecord({
  collection: 'session_epochs',
  holds: 'a counter that ends all sessions or tokens of somebody at once',
  schema: z.strictObject({}),
});

/** What sessions and tokens can be ended by, all at once. */
export type EpochOf =
  /** All sessions of the organization. */
  | 'sessions'
  /** All tokens of the organization. */
  | 'tokens'
  | `sessions:${string}`
  | `tokens:${string}`
  | `client:${string}`;

/** The epochs that a session or token began in. */
export type Epochs = Readonly<Partial<Record<EpochOf, number>>>;

export const epochsSchema: z.ZodType<Epochs> = z.record(z.string(), z.int());

/**
 * Whose sessions or tokens have ended and still stand as if they went on (`SettlingOf`): lists and counts leave them out,
 * and the sweep settles them.
 */
export const settlingRecords = defineRecord({
  collection: 'session_settling',
  holds: 'whose sessions or tokens have ended at once and are still to be removed from lists',
  schema: z.strictObject({}),
});

export type SettlingOf = `user:${string}` | `client:${string}` | `session:${string}` | `parent:${string}`;

export function currentEpoch(store: Store, of: EpochOf): number {
  return epochRecords.get(store, of)?.version ?? 0;
}

export function currentEpochs(store: Store, all: readonly EpochOf[]): Epochs {
  const epochs: Partial<Record<EpochOf, number>> = {};
  for (const of of all) epochs[of] = currentEpoch(store, of);
  return epochs;
}

/** Whether none of these epochs has passed. To be called inside `Engine.read`. */
export function areCurrent(store: Store, epochs: Epochs): boolean {
  for (const of in epochs) {
    // `of` is a name of `epochs`
    if (currentEpoch(store, of as EpochOf) !== epochs[of as EpochOf]) return false;
  }
  return true;
}

/** That none of them passes before the command is applied: what is written then has not ended already. */
export function stillCurrent(store: Store, epochs: Epochs): Precondition[] {
  const preconditions: Precondition[] = [];
  for (const id in epochs) {
    const version = epochs[id as EpochOf] as number; // `id` is a name of `epochs`
    preconditions.push(epochRecords.asRead(store, id, version === 0 ? undefined : { id, version }));
  }
  return preconditions;
}

/**
 * Ends all sessions and tokens of a user, however many, from the commit of these changes on. To be put into the command
 * that blocks or deletes the user, or changes its password.
 */
export function endAllOf(store: { readonly name: string }, userId: string): Change[] {
  return [...beginEpochs(store, [`sessions:${userId}`, `tokens:${userId}`]), settle(store, `user:${userId}`)];
}

/** Its sessions, and the tokens that are bound to them. */
export function endSessionsOf(store: { readonly name: string }, userId: string): Change[] {
  return [...beginEpochs(store, [`sessions:${userId}`]), settle(store, `user:${userId}`)];
}

export function endTokensOf(store: { readonly name: string }, userId: string): Change[] {
  return [...beginEpochs(store, [`tokens:${userId}`]), settle(store, `user:${userId}`)];
}

export function endTokensOfClient(store: { readonly name: string }, clientId: string): Change[] {
  return [...beginEpochs(store, [`client:${clientId}`]), settle(store, `client:${clientId}`)];
}

/** Every session and every token of the organization. */
export function endAll(store: { readonly name: string }): Change[] {
  return beginEpochs(store, ['sessions', 'tokens']);
}

export function settle(store: { readonly name: string }, id: SettlingOf): Change {
  return settlingRecords.put(store, id, {});
}

function beginEpochs(store: { readonly name: string }, all: readonly EpochOf[]): Change[] {
  return all.map((id) => epochRecords.put(store, id, {}));
}

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
