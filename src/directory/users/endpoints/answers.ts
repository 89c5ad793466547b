import { json } from '../../../http/index.ts';
import { createdAnswer, type Family, singleAnswer } from '../../../kernel/lists/index.ts';
import type { Caller, FamilyBase } from '../../../kernel/organizations/index.ts';
import type { UserEntry } from '../../records/index.ts';
import type { UserDependencies } from '../dependencies.ts';
import { userView } from '../view/user-view.ts';

export const userTags = ['Users'];

/** What every endpoint here works with. */
export interface UserRoom {
  readonly dependencies: UserDependencies;
  readonly base: FamilyBase;
  readonly family: Family;
}

/** The user as a commit has left it. */
export function userReply({ dependencies, family }: UserRoom, caller: Caller, user: UserEntry) {
  return json(200, singleAnswer(viewOf(dependencies, family, caller, user), family));
}

export function createdReply({ dependencies, family }: UserRoom, caller: Caller, user: UserEntry) {
  return json(201, createdAnswer(viewOf(dependencies, family, caller, user), family, 'The user was created.'));
}

function viewOf({ engine }: UserDependencies, family: Family, caller: Caller, user: UserEntry) {
  return engine.read(() => userView(caller.organization.store, user, family));
}
