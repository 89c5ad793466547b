import { EngineError, type Store } from '#engine';
import { isSystemPermission, permissionObject } from './system-permissions.ts';

/** What a right is judged by: the organization's store, and the version of its model that is the system's alone. */
export interface RightsStore {
  readonly store: Store;
  readonly systemModelId: string;
}

/** A time after every expiry, so that a decision at it rests on no tuple that expires. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/** Whoever holds it holds every permission of the system's. */
const fullAdministration = 'settings.manage';

const plainRelations = [
  ['permission', 'granted'],
  ['role', 'assignee'],
  ['group', 'member'],
] as const;

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
  readonly #plain = new Map<string, boolean>();

  holds(org: RightsStore, subject: string, permission: string, now: number): Right {
    const right = this.#holds(org, subject, permission, now);
    if (right !== 'no' || permission === fullAdministration || !isSystemPermission(permission)) return right;
    return this.#holds(org, subject, fullAdministration, now);
  }

  #holds(org: RightsStore, subject: string, permission: string, now: number): Right {
    const { store, systemModelId: modelId } = org;
    const question = { object: permissionObject(permission), relation: 'granted', subject };
    try {
      if (this.#isPlain(store) && allows(store, { ...question, modelId, now: END_OF_TIME })) return 'until_a_commit';
      const context = { now: new Date(now).toISOString() };
      const isHeld = allows(store, { ...question, modelId, now }) && allows(store, { ...question, now, context });
      return isHeld ? 'now' : 'no';
    } catch (error) {
      // a model of the organization that cannot decide this must not open anything; an unreadable store is no denial
      if (!(error instanceof EngineError) || isOfTheStore(error)) throw error;
      return 'no';
    }
  }

  #isPlain(store: Store): boolean {
    const id = store.modelIds()[0] ?? '';
    const known = this.#plain.get(id);
    if (known !== undefined) return known;
    const { types } = store.model(id).model;
    const isPlain = plainRelations.every(
      ([type, relation]) => types.get(type)?.relations.get(relation)?.rewrite.kind === 'direct',
    );
    if (this.#plain.size >= PLAIN_MAX) this.#plain.clear();
    this.#plain.set(id, isPlain);
    return isPlain;
  }
}

/** Models remembered; each entry is an id and a flag. */
const PLAIN_MAX = 4096;

function allows(store: Store, request: Parameters<Store['check']>[0]): boolean {
  return store.check(request).outcome === 'allowed';
}

function isOfTheStore({ code }: EngineError): boolean {
  return code === 'unknown_store' || code === 'unavailable' || code === 'corrupt' || code === 'locked';
}
