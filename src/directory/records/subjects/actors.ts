import { parseSubject, type Store } from '#engine';
import type { ActorKind } from '../../../kernel/actors/index.ts';
import { agentActor } from './agents.ts';
import { clientActor } from './clients.ts';
import { keyActor } from './keys.ts';
import { userActor } from './users.ts';

/** Everybody who makes requests. */
export const actorKinds = [userActor, agentActor, keyActor, clientActor] as const satisfies readonly ActorKind[];

const byType: ReadonlyMap<string, ActorKind> = new Map(actorKinds.map((kind) => [kind.type, kind]));
/** Decisions ask for these each time, so that they are found by their prefix. */
const counted = actorKinds.flatMap((kind: ActorKind) =>
  kind.counts === undefined ? [] : [{ prefix: `${kind.type}:`, counts: kind.counts }],
);

export function isActorType(type: string): boolean {
  return byType.has(type);
}

/**
 * Whether decisions regard a subject. One without a record counts as the tuples say. To be called inside `Engine.read`.
 */
export function actorCounts(store: Store, subject: string, now: number): boolean {
  for (const { prefix, counts } of counted) {
    if (subject.startsWith(prefix)) return counts(store, subject.slice(prefix.length), now);
  }
  return true;
}

/** Whether a subject can be the administrator who remains. To be called inside `Engine.read`. */
export function isPermanentActor(store: Store, subject: string): boolean {
  const { type, id, relation } = parseSubject(subject);
  return relation === '' && byType.get(type)?.isPermanent?.(store, id) === true;
}
