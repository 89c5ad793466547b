import { z } from 'zod';
import type { ModelSource, PreparedModel, Store } from '#engine';
import { type Endpoint, endpointFor, json, problem, queryBoolean } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  adminBounds,
  type Family,
  listAnswer,
  listSchema,
  mapListed,
  pageParameters,
  readPage,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { problemOf, requestOf } from '../../../kernel/queries/index.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import { modelBody } from './bodies.ts';
import { judgeModel, requireRoomForModel, writeModel } from './write-model.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Models'];

const orphans = z.strictObject({
  count: z.int(),
  shapes: z.array(z.strictObject({ shape: z.string(), count: z.int() })),
  samples: z.array(z.string()),
});
const summary = z.strictObject({ id: z.string(), createdAt: z.string(), isLatest: z.boolean() });
const source = {
  dsl: z.string().optional(),
  modules: z.array(z.strictObject({ name: z.string(), contents: z.string() })).optional(),
};

/** Authorization models, in both families. */
export function modelEndpoints(dependencies: AuthzDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    writeEndpoint(dependencies, base),
    listEndpoint(dependencies, base, family),
    endpoint({
      method: 'GET',
      path: `${base}/zanzibar/models/{modelId}`,
      summary: 'One model version, as it was written',
      tags,
      access: { permission: 'models.read' },
      responses: { 200: summary.extend(source) },
      errors: ['unknown_model'],
      handler({ caller, params }) {
        const { store } = caller.organization;
        return answerIfMay(dependencies.engine, caller, 'models.read', () => {
          if (!store.modelIds().includes(params.modelId)) return problem('unknown_model');
          return json(200, { ...summaryOf(store, params.modelId), ...store.model(params.modelId).source } as never);
        });
      },
    }),
  ]);
}

function listEndpoint(dependencies: AuthzDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/zanzibar/models`,
    summary: 'Model versions, newest first',
    tags,
    access: { permission: 'models.read' },
    query: z.strictObject(pageParameters(adminBounds)),
    responses: { 200: listSchema(summary) },
    handler({ caller, query }) {
      const page = readPage(query, adminBounds);
      const { store } = caller.organization;
      return answerIfMay(dependencies.engine, caller, 'models.read', () =>
        json(
          200,
          mapListed(listAnswer(store.modelIds(), page, family), (id) => summaryOf(store, id)),
        ),
      );
    },
  });
}

function writeEndpoint(dependencies: AuthzDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/zanzibar/models`,
    summary: 'Write a model version, which becomes the latest',
    description:
      'In the OpenFGA language, merged with the system model. `orphans` are stored tuples that it does not allow: they ' +
      'stay stored and do not count. A model that would leave no administrator is refused. With `dryRun=true` ' +
      'nothing is written. Needs full administration.',
    tags,
    access: { permission: 'settings.manage' },
    rate: 'expensive',
    query: z.strictObject({ dryRun: queryBoolean.optional() }),
    body: modelBody,
    // escaped as JSON, a text can be twice as long
    bodyMax: dependencies.limits.modelBytes * 2,
    responses: {
      200: z.strictObject({ valid: z.literal(true), orphans }),
      201: z.strictObject({ id: z.string(), revision: z.string(), orphans }),
    },
    errors: ['invalid_model', 'refused', 'too_large', 'unavailable'],
    async handler(call) {
      const { caller, body, query } = call;
      const facts = factsOf(call);
      const { store } = caller.organization;
      requireRoomForModel(store);
      const source: ModelSource = body;
      const answer = await dependencies.queryPool.run(requestOf(caller, { kind: 'prepare_model', source }));
      if (!answer.ok) return problemOf(answer);
      const prepared = JSON.parse(answer.text) as PreparedModel;
      if (query.dryRun) {
        judgeModel(dependencies, caller, source, prepared);
        return json(200, { valid: true as const, orphans: plain(prepared) });
      }
      const written = await writeModel(dependencies, caller, facts, source, prepared);
      return json(201, {
        id: written.modelId,
        revision: dependencies.tokens.of(written.revision),
        orphans: plain(prepared),
      });
    },
  });
}

function summaryOf(store: Store, id: string): z.output<typeof summary> {
  const { createdAt } = store.model(id);
  return { id, createdAt: new Date(createdAt).toISOString(), isLatest: store.modelIds()[0] === id };
}

/** The report with lists that can be written to, as the schema's type has them. */
function plain({ orphans: { count, shapes, samples } }: PreparedModel): z.output<typeof orphans> {
  return { count, shapes: shapes.map((shape) => ({ ...shape })), samples: [...samples] };
}
