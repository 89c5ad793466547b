import type { ActorKind } from '../../../kernel/actors/index.ts';

/** OAuth clients that act for themselves: `oauth_client:C`. */
export const clientActor = { type: 'oauth_client', managedBy: 'settings.manage' } as const satisfies ActorKind;
