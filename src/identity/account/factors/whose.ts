import { stillCurrent } from '../../../directory/epochs/index.ts';
import type { Whose } from '../../mfa/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';

/** What is begun in a session is finished in it, and only while it goes on. */
export function whoseOf({ organization, user, session }: AccountVisit): Whose {
  const rests = stillCurrent(organization.store, session.document.epochs);
  return { organization, userId: user.id, binding: session.id, rests };
}
