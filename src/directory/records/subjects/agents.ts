import type { ActorKind } from '../../../kernel/actors/index.ts';

/** Programs that act by themselves or for users: `agent:A`. */
export const agentActor = { type: 'agent', managedBy: 'agents.manage' } as const satisfies ActorKind;
