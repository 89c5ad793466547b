import { z } from 'zod';
import type { Store } from '#engine';
import { type Answer, type Endpoint, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { type Caller, endpoint } from '../../../kernel/organizations/index.ts';
import type { QueryPool } from '../../../kernel/queries/index.ts';
import { type AdminDependencies, type Transaction, transact } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';

/** What the endpoints of sessions and tokens work with. */
export interface SessionEndpointDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
  /** Whether a client is registered. To be called inside `Engine.read`. */
  readonly isClient: (store: Store, clientId: string) => boolean;
}

/** What POST answers that ended many at once: how many they were is not counted. */
const revokedSchema = singleSchema(
  z.strictObject({ revokedAt: z.string().describe('Whatever began before has ended (ISO 8601)') }),
);
export const revokedResponses = { 200: revokedSchema } as const;

export function revokedAnswer(now: number, family: Family): Answer<typeof revokedResponses> {
  return json(200, singleAnswer({ revokedAt: isoTime(now) }, family));
}

/** Ends what `end` ends, for a caller with the right. Answers when that was. */
export function ended(
  dependencies: SessionEndpointDependencies,
  call: Parameters<typeof factsOf>[0] & { readonly caller: Caller },
  permission: 'sessions.revoke' | 'tokens.revoke',
  end: (transaction: Transaction) => void,
): Promise<number> {
  return transact(dependencies, call.caller, factsOf(call), (transaction) => {
    transaction.require(permission);
    end(transaction);
    return transaction.now;
  });
}

interface EndingSpec {
  /** Of what ends: `/t/{tenant}/api/v1/admin/users/{userId}/sessions`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly permission: 'sessions.revoke' | 'tokens.revoke';
  /** What DELETE answers, in words. */
  readonly done: string;
  /** The parameter of the path that says whose they are. */
  readonly owner: 'userId' | 'clientId';
  readonly endAll: (transaction: Transaction, owner: string) => void;
}

/** Ending all that somebody has, in one family: by DELETE, or by POST, which answers when that was. */
export function endingEndpoints(
  dependencies: SessionEndpointDependencies,
  family: Family,
  { path, summary, description, tags, permission, done, owner, endAll }: EndingSpec,
): Endpoint[] {
  const shared = { summary, description, tags, access: { permission }, errors: ['unavailable'] } as const;
  const endAllOf = (call: Parameters<typeof ended>[1], params: Readonly<Record<string, string>>) =>
    ended(dependencies, call, permission, (transaction) => endAll(transaction, params[owner] ?? ''));
  return [
    endpoint({
      ...shared,
      method: 'DELETE',
      path: path as string,
      responses: { 204: { description: done } },
      async handler(call) {
        await endAllOf(call, call.params);
        return noContent();
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: `${path}/revoke` as string,
      responses: revokedResponses,
      handler: async (call) => revokedAnswer(await endAllOf(call, call.params), family),
    }),
  ];
}
