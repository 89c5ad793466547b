import { type Change, EngineError, SecondChanceCache, type Store } from '#engine';
import { type Reach, reachOf } from './reach.ts';
import { isSystemPermission, permissionObject } from './system-permissions.ts';

/** What a right is judged by: the organization's store, and the version of its model that is the system's alone. */
export interface RightsStore {
  readonly store: Store;
  readonly systemModelId: string;
}

/** A time after every expiry, so that a decision at it depends on no tuple that expires. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/** Whoever holds it holds every permission of the system's. */
const fullAdministration = 'settings.manage';

export type Right = 'no' | 'now' | 'until_a_commit';

/**
 * Whether a subject holds a permission that guards Relata's own endpoints: the system model alone and the merged model
 * must both allow it, so that no model and no tuple of an organization's own types makes an administrator.
 *
 * `until_a_commit` is an answer that time alone cannot change, so that it holds as long as the revision does: the
 * system model has no negation, and allows the question without any tuple that expires; and the merged model leaves
 * the relations of rights as they are, so that it allows whatever the system model does.
 *
 * To be called inside `Engine.read`.
 */
export class RightCheck {
  readonly #reaches = new SecondChanceCache<string, Reach>(MODELS_MAX);

  holds(org: RightsStore, subject: string, permission: string, now: number): Right {
    const right = this.#holds(org, subject, permission, now);
    if (right !== 'no' || permission === fullAdministration || !isSystemPermission(permission)) return right;
    return this.#holds(org, subject, fullAdministration, now);
  }

  #holds(org: RightsStore, subject: string, permission: string, now: number): Right {
    const { store, systemModelId: modelId } = org;
    const question = { object: permissionObject(permission), relation: 'granted', subject };
    try {
      if (this.reach(store).isPlain && allows(store, { ...question, modelId, now: END_OF_TIME }))
        return 'until_a_commit';
      const context = { now: new Date(now).toISOString() };
      const isHeld = allows(store, { ...question, modelId, now }) && allows(store, { ...question, now, context });
      return isHeld ? 'now' : 'no';
    } catch (error) {
      // a model of the organization that cannot decide this must not open anything; an unreadable store is no denial
      if (!(error instanceof EngineError) || isOfTheStore(error)) throw error;
      return 'no';
    }
  }

  /**
   * Whether a subject still holds full administration after some changes, by both models and for good: neither time nor
   * a condition can end it. Only for subjects that the system model gives it by tuples without condition and expiry.
   * `undefined` if the check ran out of time.
   */
  isPermanentAdministrator(
    { store }: RightsStore,
    subject: string,
    changes: readonly Change[],
    now: number,
  ): boolean | undefined {
    const question = { object: permissionObject(fullAdministration), relation: 'granted', subject };
    const context = { now: new Date(now).toISOString() };
    try {
      return (
        store.checkAfter(changes, { ...question, now, context }).outcome === 'allowed' &&
        store.checkAfter(changes, { ...question, now: END_OF_TIME }).outcome === 'allowed'
      );
    } catch (error) {
      if (!(error instanceof EngineError) || isOfTheStore(error)) throw error;
      return error.code === 'timeout' ? undefined : false;
    }
  }

  /** Whether the system model gives a subject full administration for good, or would once some changes are made. */
  isAdministrator(
    { store, systemModelId: modelId }: RightsStore,
    subject: string,
    changes: readonly Change[],
  ): boolean {
    const question = { object: permissionObject(fullAdministration), relation: 'granted', subject, modelId };
    const request = { ...question, now: END_OF_TIME };
    return allows(store, request) || store.checkAfter(changes, request).outcome === 'allowed';
  }

  /** The part of an organization's latest model that decides rights. */
  reach(store: Store): Reach {
    const id = store.latestModelId() ?? '';
    const known = this.#reaches.get(id);
    if (known !== undefined) return known;
    const reach = reachOf(store.model(id).model);
    this.#reaches.set(id, reach);
    return reach;
  }
}

/** Most models to remember: of nearly all only that they are plain, of the others some names. */
const MODELS_MAX = 32_768;

function allows(store: Store, request: Parameters<Store['check']>[0]): boolean {
  return store.check(request).outcome === 'allowed';
}

/** Whether an error says that the store cannot be read, and nothing about the question. */
export function isOfTheStore({ code }: EngineError): boolean {
  return code === 'unknown_store' || code === 'unavailable' || code === 'corrupt' || code === 'locked';
}
