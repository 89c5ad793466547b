import type { Store } from '#engine';
import { systemActor } from '../../../kernel/audit/index.ts';
import { NOTHING_DUE, type Organization } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, transactAs } from '../../../kernel/transactions/index.ts';
import type { Sealer } from '../../../platform/index.ts';
import { type AlgorithmName, algorithmNames } from './algorithms.ts';
import { keysOf, signingKeyRecords } from './key-record.ts';
import { addKey, type FreshKey, makeKey } from './make-key.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Everyone who looks at the key set once a day knows a key before it signs anything. */
export const PUBLISHED_BEFORE_MS = DAY_MS;
/** The longest life that a setting can give to a token that is signed, and an hour for clocks that differ. */
const KEPT_AFTER_MS = DAY_MS + HOUR_MS;
const SIGNS_FOR_MS = 90 * DAY_MS;

export interface RotationDependencies extends AdminDependencies {
  readonly sealer: Sealer;
}

/**
 * Whether a successor is due for an algorithm, and which of its keys nobody needs any more. To be called inside
 * `Engine.read`. An algorithm without a key gets one when it is first needed, not here.
 */
function rotationState(store: Store, algorithm: AlgorithmName, now: number) {
  const keys = keysOf(store, algorithm);
  const latest = keys.at(-1)?.document;
  const expired = keys.filter((_, index) => {
    const next = keys[index + 1]?.document;
    return next !== undefined && next.activeFrom + KEPT_AFTER_MS <= now;
  });
  const successorDue = latest !== undefined && latest.activeFrom + SIGNS_FOR_MS - PUBLISHED_BEFORE_MS <= now;
  return { successorDue, expired };
}

/** When something is due next, where nothing is committed before. To be called inside `Engine.read`. */
export function nextRotation(store: Store): number {
  const times = algorithmNames.flatMap((algorithm) => {
    const keys = keysOf(store, algorithm);
    const latest = keys.at(-1)?.document;
    if (latest === undefined) return [];
    // the first key goes some time after the second has taken over
    const removals = keys.slice(1).map(({ document }) => document.activeFrom + KEPT_AFTER_MS);
    return [...removals, latest.activeFrom + SIGNS_FOR_MS - PUBLISHED_BEFORE_MS];
  });
  return Math.min(NOTHING_DUE, ...times);
}

/**
 * One step of keeping an organization's keys fresh: a successor is published a day before it signs, and a key stays as
 * long as anything that it signed can be valid. Answers whether anything was to be done.
 */
export async function rotateKeys(dependencies: RotationDependencies, organization: Organization): Promise<boolean> {
  const { engine, clock, sealer } = dependencies;
  let moved = false;
  for (const algorithm of algorithmNames) {
    const state = engine.read(() => rotationState(organization.store, algorithm, clock.now()));
    if (!state.successorDue && state.expired.length === 0) continue;
    const fresh = state.successorDue ? await makeKey(organization, algorithm, sealer) : undefined;
    moved = (await commitRotation(dependencies, organization, algorithm, fresh)) || moved;
  }
  return moved;
}

function commitRotation(
  dependencies: RotationDependencies,
  organization: Organization,
  algorithm: AlgorithmName,
  fresh: FreshKey | undefined,
): Promise<boolean> {
  const { store } = organization;
  return transactAs(dependencies, organization, systemActor, undefined, (transaction) => {
    const { now } = transaction;
    const { successorDue, expired } = rotationState(store, algorithm, now);
    const latest = keysOf(store, algorithm).at(-1);
    if (successorDue && fresh !== undefined && latest !== undefined) {
      const generation = latest.document.generation + 1;
      // late, as after a long stop: the key still has its day in the key set before it signs
      const activeFrom = Math.max(now + PUBLISHED_BEFORE_MS, latest.document.activeFrom + SIGNS_FOR_MS);
      addKey(transaction, fresh, { generation, activeFrom });
    }
    for (const entry of expired) {
      transaction.rely(signingKeyRecords, entry);
      transaction.delete(signingKeyRecords, entry.id);
      transaction.audit({
        eventType: 'admin.action',
        action: 'signing_key.remove',
        targetType: 'signing_key',
        targetId: entry.id,
      });
    }
    return transaction.changes.length > 0;
  });
}
