import { z } from 'zod';
import type { Engine, Store } from '#engine';
import { userRecords } from '../../directory/records/index.ts';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import { singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, type Caller, inBothFamilies } from '../../kernel/organizations/index.ts';
import { clientRecords } from '../../protocols/oauth/index.ts';
import type { ApiCalls } from './api-calls.ts';

const endpoint = endpointFor<Caller>();

const measures = ['users', 'agents', 'clients', 'tuples', 'apiCalls'] as const;
type Measure = (typeof measures)[number];

const each = <T extends z.ZodType>(schema: T) =>
  z.strictObject(Object.fromEntries(measures.map((name) => [name, schema])) as Record<Measure, T>);

const info = z.strictObject({
  plan: z.string(),
  usage: each(z.int().min(0)),
  limits: each(z.int().min(0).nullable()).describe('Null: none'),
});

export interface UsageDependencies {
  readonly engine: Engine;
  readonly apiCalls: ApiCalls;
}

/** There is one plan, and it limits nothing. */
const plan = 'unlimited';
const limits = Object.fromEntries(measures.map((name) => [name, null])) as Record<Measure, null>;

/** `/admin/info`, in both families. */
export function infoEndpoints({ engine, apiCalls }: UsageDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    endpoint({
      method: 'GET',
      path: `${base}/admin/info`,
      summary: 'Get the plan, usage and limits of the organization',
      description: 'Calls are those of this calendar month (UTC); what was called in the last minute may be missing.',
      tags: ['Organization'],
      access: { permission: 'settings.read' },
      responses: { 200: singleSchema(info) },
      handler: ({ caller }) =>
        answerIfMay(engine, caller, 'settings.read', () =>
          json(200, singleAnswer({ plan, usage: usageOf(caller.organization.store, apiCalls), limits }, family)),
        ),
    }),
  ]);
}

/** Collections of the records that are counted. */
const collections = { users: userRecords.collection, agents: 'agents', clients: clientRecords.collection } as const;

function usageOf(store: Store, apiCalls: ApiCalls): Record<Measure, number> {
  const count = (collection: string): number => store.recordIndex(collection).count(undefined, '');
  return {
    users: count(collections.users),
    agents: count(collections.agents),
    clients: count(collections.clients),
    tuples: store.stats().tuples,
    apiCalls: apiCalls.thisMonth(store),
  };
}
