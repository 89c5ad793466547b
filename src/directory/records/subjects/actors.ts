import { type ActorKind, Actors } from '../../../kernel/actors/index.ts';
import { agentActor } from './agents.ts';
import { keyActor } from './keys.ts';
import { scimTokenKind } from './scim-tokens.ts';
import { userActor } from './users.ts';

/** OAuth clients that act for themselves: `oauth_client:C`. */
export const clientActor = {
  type: 'oauth_client',
  collection: 'clients',
  auditedAs: 'admin',
  formerlyAuditedAs: 'agent',
  managedBy: 'settings.manage',
} as const satisfies ActorKind;

/** Everybody who makes requests. */
export const actors = new Actors([userActor, agentActor, keyActor, clientActor], [scimTokenKind]);
