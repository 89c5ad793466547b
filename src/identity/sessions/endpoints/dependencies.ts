import { z } from 'zod';
import type { Store } from '#engine';
import { type Answer, type Endpoint, endpointFor, json, noContent } from '../../../http/index.ts';
import type { factsOf } from '../../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { QueryPool } from '../../../kernel/queries/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
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

interface EndingSpec {
  /** Of what ends: `/t/{tenant}/api/v1/admin/users/{userId}/sessions`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly access: { readonly permission: string };
  /** What DELETE answers, in words. */
  readonly ended: string;
  /** Ends all, and answers when. @param owner the parameter of the path that says whose they are */
  readonly endAll: (call: EndingCall, owner: string) => Promise<number>;
}

export type EndingCall = Parameters<typeof factsOf>[0] & { readonly caller: Caller };

/** Ending all that somebody has, in one family: by DELETE, or by POST, which answers when that was. */
export function endingEndpoints(
  { path, summary, description, tags, access, ended, endAll }: EndingSpec,
  owner: string,
  family: Family,
): Endpoint[] {
  const shared = { summary, description, tags, access, errors: ['unavailable'] } as const;
  const ownerOf = (params: unknown) => (params as Readonly<Record<string, string>>)[owner] ?? '';
  return [
    endpoint({
      ...shared,
      method: 'DELETE',
      path: path as string,
      responses: { 204: { description: ended } },
      async handler(call) {
        await endAll(call, ownerOf(call.params));
        return noContent();
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: `${path}/revoke` as string,
      responses: revokedResponses,
      handler: async (call) => revokedAnswer(await endAll(call, ownerOf(call.params)), family),
    }),
  ];
}
