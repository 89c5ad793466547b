export type { ActorKind } from './actor-kind.ts';
export { Actors } from './actors.ts';
