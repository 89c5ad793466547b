export { type ActorKind, Actors } from './actors.ts';
