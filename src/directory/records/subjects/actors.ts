import { Actors } from '../../../kernel/actors/index.ts';
import { agentActor } from './agents.ts';
import { clientActor } from './clients.ts';
import { keyActor } from './keys.ts';
import { userActor } from './users.ts';

/** Everybody who makes requests. */
export const actors = new Actors([userActor, agentActor, keyActor, clientActor]);
