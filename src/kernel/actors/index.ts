export type { ActorKind } from './actor-kind.ts';
