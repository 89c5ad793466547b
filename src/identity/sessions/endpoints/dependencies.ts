import { z } from 'zod';
import type { Store } from '#engine';
import { userNamed } from '../../../directory/records/index.ts';
import { type Answer, endpointFor, json } from '../../../http/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { QueryPool } from '../../../kernel/queries/index.ts';
import { type AdminDependencies, notFound } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';

/** What the endpoints of sessions and tokens work with. */
export interface SessionEndpointDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
  /** Whether a client is registered. To be called inside `Engine.read`. */
  readonly isClient: (store: Store, clientId: string) => boolean;
}

export const endpoint = endpointFor<Caller>();

/** What POST answers that ended many at once: how many they were is not counted. */
const revokedSchema = singleSchema(
  z.strictObject({ revokedAt: z.string().describe('Whatever began before has ended (ISO 8601)') }),
);
export const revokedResponses = { 200: revokedSchema } as const;

export function revokedAnswer(now: number, family: Family): Answer<typeof revokedResponses> {
  return json(200, singleAnswer({ revokedAt: isoTime(now) }, family));
}

/** The id of the user that a path names. @throws ProblemError 404 */
export function requireUser(caller: Caller, text: string, family: Family): string {
  const user = userNamed(caller, text, family === 'tenant');
  if (user === undefined) throw notFound();
  return user.id;
}
