import type { Organization } from '../../../kernel/organizations/index.ts';
import { equalSecrets, type Sealer } from '../../../platform/index.ts';

type Mac = Pick<Sealer, 'mac'>;

/** Shows that a user could decide a task when they were told of it: in the mail, and on the pages that showed it. */
export function askedProof(sealer: Mac, { id }: Pick<Organization, 'id'>, taskId: string, userId: string): string {
  return sealer.mac('asked', id, taskId, userId);
}

export function wasAsked(
  sealer: Mac,
  organization: Pick<Organization, 'id'>,
  taskId: string,
  userId: string,
  proof: string,
): boolean {
  return equalSecrets(askedProof(sealer, organization, taskId, userId), proof);
}
