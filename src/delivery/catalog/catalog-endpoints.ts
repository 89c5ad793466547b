import { z } from 'zod';
import type { Engine } from '#engine';
import { type Endpoint, json } from '../../http/index.ts';
import { type Catalog, catalogs, type EventTypes } from '../../kernel/events/index.ts';
import { singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, endpoint, inBothFamilies } from '../../kernel/organizations/index.ts';
import { emittingBeside, emittingOperations } from './emitting-operations.ts';

const eventType = z.strictObject({
  name: z.string().describe('As subscriptions have it, and the `type` of a delivery'),
  schema: z
    .record(z.string(), z.unknown())
    .describe('JSON Schema (2020-12) of the body of a delivery; fields may be added to it'),
  example: z.record(z.string(), z.unknown()),
  operations: z.array(z.string()).describe('What causes it, without what tells one family of addresses from the other'),
});

const eventTypes = z.strictObject({
  catalogs: z.array(
    z.strictObject({
      catalog: z.enum(catalogs),
      subscribedAt: z.string().describe('Where webhooks are created that it belongs to'),
      types: z.array(eventType),
    }),
  ),
});

export interface CatalogDependencies {
  readonly engine: Engine;
  readonly eventTypes: EventTypes;
}

/** `/admin/events/types`, in both families. */
export function catalogEndpoints(dependencies: CatalogDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    endpoint({
      method: 'GET',
      path: `${base}/admin/events/types`,
      summary: 'List the types of events',
      description:
        'What webhooks of each form can subscribe to: the names, with the body of a delivery as JSON Schema and example, ' +
        'and the operations that cause them.',
      tags: ['Events'],
      access: { permission: 'audit.read' },
      responses: { 200: singleSchema(eventTypes) },
      handler: ({ caller }) =>
        answerIfMay(dependencies.engine, caller, 'audit.read', () =>
          json(200, singleAnswer({ catalogs: catalogViews(dependencies.eventTypes) }, family)),
        ),
    }),
  ]);
}

/** What subscribes to each catalog. */
export const subscribers: Readonly<Record<Catalog, string>> = {
  a: '/orgs/{orgId}/api/v1/admin/webhooks',
  b: '/t/{tenant}/api/v1/admin/webhooks',
  c: '/orgs/{orgId}/api/v1/webhooks',
};

/** The names of each catalog, and what causes them. */
export function catalogViews(types: EventTypes) {
  return catalogs.map((catalog) => ({
    catalog,
    subscribedAt: subscribers[catalog],
    types: types.entriesIn(catalog).map(({ types: own, ...entry }) => ({ ...entry, operations: causesOf(own) })),
  }));
}

/** Operations, and what else causes events of these types. */
function causesOf(types: readonly string[]): string[] {
  const causes: Readonly<Record<string, readonly string[]>> = { ...emittingOperations, ...emittingBeside };
  return Object.keys(causes).filter((cause) => causes[cause]?.some((type) => types.includes(type)));
}
